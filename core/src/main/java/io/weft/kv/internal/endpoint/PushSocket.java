package io.weft.kv.internal.endpoint;

import io.weft.kv.wire.NetworkAddress;
import java.util.List;
import java.util.function.LongSupplier;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;
import org.zeromq.ZMonitor;

/**
 * A PUSH socket to one address. Owned by the outbox thread; only the connection's state is written by ZeroMQ's thread.
 *
 * <p>It never blocks: its queue is bounded where the original's is not, because a dead peer must not eat the memory.
 */
final class PushSocket {
    /** Messages that wait for a peer at most. */
    private static final int HIGH_WATER_MARK = 65_536;

    /**
     * A fresh connection of JeroMQ 0.6 now and then never starts its handshake (zeromq/jeromq pull request 1022); ended early, it
     * is made again and loses nothing.
     */
    private static final int HANDSHAKE_MILLIS = 300;

    private static final int RECONNECT_MILLIS = 100;
    private static final int RECONNECT_MAX_MILLIS = 1_000;
    private static final long CONNECTED = Long.MIN_VALUE;

    private final NetworkAddress address;
    private final ZMQ.Socket socket;
    private final LongSupplier nanoClock;
    private long lastUsed;
    /** When the connection was lost or first tried, or {@link #CONNECTED}. Written by ZeroMQ's I/O thread. */
    private volatile long disconnectedSince;

    /** Set by ZeroMQ's I/O thread when an established connection is lost. */
    private volatile boolean lost;

    /** Whether the last thing heard of the connection is that it was lost or could not be made. Written by that thread, too. */
    private volatile boolean failing;

    PushSocket(ZContext context, NetworkAddress address, LongSupplier nanoClock) {
        this.address = address;
        this.nanoClock = nanoClock;
        this.disconnectedSince = nanoClock.getAsLong();
        this.lastUsed = disconnectedSince;
        socket = context.createSocket(SocketType.PUSH);
        socket.setSndHWM(HIGH_WATER_MARK);
        socket.setLinger(0);
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.setReconnectIVL(RECONNECT_MILLIS);
        socket.setReconnectIVLMax(RECONNECT_MAX_MILLIS);
        socket.setTCPKeepAlive(1);
        socket.setTCPKeepAliveIdle(30);
        socket.setTCPKeepAliveInterval(5);
        socket.setTCPKeepAliveCount(3);
        if (address.isIpv6()) {
            socket.setIPv6(true);
        }
        socket.setEventHook(
                this::onEvent, ZMQ.EVENT_HANDSHAKE_PROTOCOL | ZMQ.EVENT_DISCONNECTED | ZMQ.EVENT_CONNECT_RETRIED);
        socket.connect(address.tcp());
    }

    NetworkAddress address() {
        return address;
    }

    /** False if the queue is full; then nothing of the message was sent. */
    boolean send(List<byte[]> frames) {
        lastUsed = nanoClock.getAsLong();
        int last = frames.size() - 1;
        for (int i = 0; i <= last; i++) {
            boolean sent = socket.send(frames.get(i), ZMQ.DONTWAIT | (i < last ? ZMQ.SNDMORE : 0));
            if (!sent) {
                return false;
            }
        }
        return true;
    }

    long idleNanos() {
        return nanoClock.getAsLong() - lastUsed;
    }

    /** How long it has not been connected, 0 if it is. */
    long disconnectedNanos() {
        long since = disconnectedSince;
        return since == CONNECTED ? 0 : nanoClock.getAsLong() - since;
    }

    /** Whether there is no connection though one was tried; false while the first attempt is under way. Safe from any thread. */
    boolean isFailing() {
        return failing;
    }

    /** Whether an established connection was lost since the last call. */
    boolean takeLost() {
        boolean was = lost;
        lost = false;
        return was;
    }

    void close() {
        socket.close();
    }

    private void onEvent(ZEvent event) {
        if (event.getEvent() == ZMonitor.Event.HANDSHAKE_PROTOCOL) {
            disconnectedSince = CONNECTED;
            failing = false;
            return;
        }
        failing = true;
        if (disconnectedSince == CONNECTED) {
            disconnectedSince = nanoClock.getAsLong();
            lost = true;
        }
    }
}
