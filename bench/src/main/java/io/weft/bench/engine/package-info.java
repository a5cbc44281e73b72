/** JMH benchmarks of the engine over the reference backend: what core itself costs. Results are in {@code docs/benchmarks.md}. */
@NullMarked
package io.weft.bench.engine;

import org.jspecify.annotations.NullMarked;
