/**
 * Measures transfers between two processes: {@link io.weft.cli.bench.BenchTarget} is the other one. What is measured is the
 * engine as applications use it; {@code docs/benchmarks.md} has figures and how they were taken.
 */
@NullMarked
package io.weft.cli.bench;

import org.jspecify.annotations.NullMarked;
