/** Rates of device memory beside those of host memory. */
@NullMarked
package io.weft.bench.device;

import org.jspecify.annotations.NullMarked;
