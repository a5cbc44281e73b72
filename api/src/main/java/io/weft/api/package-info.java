/**
 * What applications call: the {@link io.weft.api.TransferEngine} and the values that go in and out of it.
 *
 * <p>Value types and interfaces only; the engine itself lives in {@code io.weft.core}. What a backend implements is
 * in {@code io.weft.spi}. Types here never mention a logging, JSON, metrics or injection library.
 */
@NullMarked
package io.weft.api;

import org.jspecify.annotations.NullMarked;
