/**
 * The reference backend {@code mem}: copies between regions of engines in one process. Written to be read by whoever
 * writes a backend: every obligation of the SPI is met here in its smallest form.
 */
@NullMarked
package io.weft.testkit.mem;

import org.jspecify.annotations.NullMarked;
