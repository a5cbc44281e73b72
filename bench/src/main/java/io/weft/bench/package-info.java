/** JMH and process-level benchmarks. Figures they gave are kept in docs/benchmarks.md. */
@NullMarked
package io.weft.bench;

import org.jspecify.annotations.NullMarked;
