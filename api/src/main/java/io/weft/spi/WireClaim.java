package io.weft.spi;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * For backends that are wire-compatible with systems that dial the engine's port themselves: takes over accepted connections by
 * their first bytes. An extension of {@link Backend} (see {@link Backend#extension}). Implemented by vendors.
 *
 * @since 0.1
 */
public interface WireClaim {
    /** What {@link #claims} answers. */
    enum Answer {
        /** This backend's. */
        MINE,
        /** Not this backend's. */
        NOT_MINE,
        /** Cannot tell yet. */
        NEED_MORE
    }

    /**
     * Looks at the first bytes of a connection. Pure; never blocks.
     *
     * @param firstBytes at most 32 bytes so far, read-only; position 0
     * @return the answer; NEED_MORE with 32 bytes counts as NOT_MINE
     */
    Answer claims(ByteBuffer firstBytes);

    /**
     * Takes a connection over. Never blocks.
     *
     * @param channel non-blocking, now the backend's to close
     * @param alreadyRead what core has read from it, owned by the callee
     */
    void accept(SocketChannel channel, ByteBuffer alreadyRead);
}
