package io.weft.backend.tcp;

import java.nio.ByteBuffer;

/** Gives an {@link Outlet} the frames to send, one after the other. Called by whoever drives the outlet. */
interface FrameSource {
    /**
     * Writes the next header, or the next part of a long one.
     *
     * @param out where to, at least {@link Outlet#ROOM} bytes remaining
     * @param payload done; start it if bytes of registered memory follow the header
     * @return whether anything was written
     */
    boolean next(ByteBuffer out, Cursor payload);

    /** Whether {@link #next} may be called while long pieces of the frame before are not sent yet, to send both at once. */
    default boolean runsAhead() {
        return false;
    }
}
