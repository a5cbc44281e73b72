package io.weft.tck.kv;

import io.weft.kv.wire.NetworkAddress;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Stands in the way to a rank's control endpoint: passes every message on until it is told to swallow them. */
public final class Relay implements AutoCloseable {
    private static final int TICK_MILLIS = 20;

    private final ZContext context = new ZContext();
    private final NetworkAddress address;
    private final Thread thread;
    private volatile boolean swallows;
    private volatile boolean ends;

    /**
     * Opens a way.
     *
     * @param rank where messages go
     */
    public Relay(NetworkAddress rank) {
        ZMQ.Socket in = context.createSocket(SocketType.PULL);
        address = new NetworkAddress("127.0.0.1", in.bindToRandomPort("tcp://127.0.0.1"));
        in.setReceiveTimeOut(TICK_MILLIS);
        ZMQ.Socket out = context.createSocket(SocketType.PUSH);
        out.setHandshakeIvl(Stranger.HANDSHAKE_MILLIS);
        out.setLinger(0);
        out.connect(rank.tcp());
        thread = Thread.ofPlatform().daemon().name("weft-tck-relay").start(() -> carry(in, out));
    }

    /**
     * The near end of the way.
     *
     * @return where to send instead of to the rank
     */
    public NetworkAddress address() {
        return address;
    }

    /** From here on the rank hears nothing. */
    public void swallow() {
        swallows = true;
    }

    private void carry(ZMQ.Socket in, ZMQ.Socket out) {
        while (!ends) {
            byte[] frame = in.recv(); // null after each tick
            while (frame != null) {
                boolean more = in.hasReceiveMore();
                if (!swallows) {
                    out.send(frame, more ? ZMQ.SNDMORE : 0);
                }
                frame = more ? in.recv() : null;
            }
        }
    }

    @Override
    public void close() {
        ends = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the context ends its sockets all the same
        }
        context.close();
    }
}
