package io.weft.backend.tcp;

import java.nio.ByteBuffer;

/** A control frame that waits to be sent. Guarded by its session. */
interface V3Frame {
    /**
     * Writes the frame, or the next part of it.
     *
     * @param out at least {@link Outlet#ROOM} bytes remaining
     * @return whether it is written in whole
     */
    boolean write(ByteBuffer out);
}
