package io.weft.backend.tcp;

import java.io.IOException;

/** What a connection does with its bytes. Called by the connection's reactor thread only. */
interface Handler {
    /** There are bytes to read, or the stream has ended. */
    void onReadable() throws IOException;

    /** The socket takes bytes again. */
    void onWritable() throws IOException;

    /** Time has passed; called about four times a second while the connection {@linkplain Connection#tick ticks}. */
    default void onTick(long now) throws IOException {}

    /** The connection is closed; called exactly once, last. */
    void onClosed(Throwable cause);
}
