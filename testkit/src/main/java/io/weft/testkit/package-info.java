/**
 * Tools for tests of engines and backends: wrappers over any {@link io.weft.spi.BackendProvider} that check both sides of
 * the SPI or inject faults, stand-ins for what core gives a backend, and a model of what memory may hold.
 */
@NullMarked
package io.weft.testkit;

import org.jspecify.annotations.NullMarked;
