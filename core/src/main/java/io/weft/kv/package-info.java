/**
 * The KV layer: prefill ranks that send the pages of a room, decode ranks that receive them. Reproduces SGLang's MORI
 * connector on the wire and in its life cycles, over {@link io.weft.api.TransferEngine}.
 *
 * <p>A <em>room</em> is one request's transfer. It ends once per side; whoever polls sees its status move forward only.
 */
@NullMarked
package io.weft.kv;

import org.jspecify.annotations.NullMarked;
