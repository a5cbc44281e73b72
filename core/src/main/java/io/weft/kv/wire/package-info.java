/**
 * The control messages between prefill and decode ranks, frame for frame those of SGLang's MORI connector, as values and
 * as bytes. Pure: nothing here opens a socket, reads a clock or keeps state.
 *
 * <p>What only Weft peers say to each other rides in one trailing frame ({@link io.weft.kv.wire.Extras}), which older peers
 * ignore. Everything that arrives is held against strict bounds and becomes either a {@link io.weft.kv.wire.KvMessage} or a
 * {@link io.weft.kv.wire.Decoded.Rejected} with a reason, never an exception.
 */
@NullMarked
package io.weft.kv.wire;

import org.jspecify.annotations.NullMarked;
