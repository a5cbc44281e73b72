/** Benchmarks of the KV layer. */
@NullMarked
package io.weft.bench.kv;

import org.jspecify.annotations.NullMarked;
