/**
 * Which bytes go where: pure functions from layouts and indices to segments. No I/O, no clock, no threads.
 *
 * <p>Plans are flat arrays in 64-bit byte offsets that are filled again and again, so that planning allocates nothing per
 * page once the arrays have grown. One plan serves every tensor whose pages have the same length.
 */
@NullMarked
package io.weft.kv.plan;

import org.jspecify.annotations.NullMarked;
