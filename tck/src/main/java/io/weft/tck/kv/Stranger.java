package io.weft.tck.kv;

import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Sends a rank messages that no rank of the case sent. Confined to one thread. */
public final class Stranger implements AutoCloseable {
    /** A fresh connection of JeroMQ 0.6 now and then never starts its handshake; ended early, it is made again. */
    static final int HANDSHAKE_MILLIS = 300;

    private final ZContext context = new ZContext();
    private final ZMQ.Socket socket = context.createSocket(SocketType.PUSH);

    /**
     * Connects.
     *
     * @param rank whom to talk to
     */
    public Stranger(NetworkAddress rank) {
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.setLinger(0);
        socket.connect(rank.tcp());
    }

    /**
     * Sends a message; it arrives unless the rank is gone.
     *
     * @param message the message
     */
    public void send(KvMessage message) {
        List<byte[]> frames = KvCodec.encode(message);
        for (int i = 0; i < frames.size(); i++) {
            socket.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
