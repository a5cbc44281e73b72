package io.weft.backend.tcp;

import java.io.IOException;

/** Drives an {@link Outlet} for a connection whose sending one lock or one thread guards. */
final class Sender {
    /** Most bytes sent before another connection gets its turn. */
    private static final long TURN_BYTES = 2 << 20;

    private final Connection connection;
    private final FrameSource source;
    private final Outlet outlet;

    Sender(Connection connection, FrameSource source, SlabPool slabs) {
        this.connection = connection;
        this.source = source;
        this.outlet = new Outlet(slabs);
    }

    /** Sends what there is, as far as the socket takes it; the rest when it takes more. */
    void send() throws IOException {
        boolean more = outlet.pump(connection.channel(), source, TURN_BYTES) != Outlet.Result.DRAINED;
        connection.wantWritable(more);
    }

    void release() {
        outlet.release();
    }
}
