package io.weft.kv.internal.endpoint;

import io.weft.kv.wire.NetworkAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.zeromq.ZContext;

/**
 * Sends from one thread, so that no caller ever waits for a peer and messages to one address keep their order over one
 * connection. Sockets that stay disconnected or idle are given up.
 */
final class Outbox {
    private static final int CAPACITY = 1 << 17;
    private static final long HOUSEKEEPING_NANOS = 200_000_000L;
    private static final long IDLE_NANOS = 600_000_000_000L;

    private final ZContext context;
    private final EndpointEvents events;
    private final LongSupplier nanoClock;
    private final long graceNanos;
    private final LinkedBlockingQueue<Outgoing> queue = new LinkedBlockingQueue<>(CAPACITY);
    /** Changed by the sending thread only; looked at by any. */
    private final Map<NetworkAddress, PushSocket> sockets = new ConcurrentHashMap<>();

    private final GivenUp givenUp;
    private final LongAdder dropped = new LongAdder();
    private volatile boolean closing;
    private volatile int openSockets;
    private long nextHousekeeping;

    /** One message on its way. */
    private record Outgoing(NetworkAddress to, List<byte[]> frames) {}

    Outbox(ZContext context, EndpointEvents events, Duration grace, LongSupplier nanoClock) {
        this.context = context;
        this.events = events;
        this.graceNanos = grace.toNanos();
        this.nanoClock = nanoClock;
        this.givenUp = new GivenUp(nanoClock);
    }

    /** Never blocks; false if the queue of the whole rank is full. */
    boolean offer(NetworkAddress to, List<byte[]> frames) {
        boolean taken = !closing && queue.offer(new Outgoing(to, frames));
        if (!taken) {
            dropped.increment();
        }
        return taken;
    }

    long dropped() {
        return dropped.sum();
    }

    boolean isFailing(NetworkAddress address) {
        PushSocket socket = sockets.get(address);
        // A new socket to an address that was given up, made for a late message, does not know yet that nobody
        // is there.
        return (socket != null && socket.isFailing()) || givenUp.isStillGone(address);
    }

    int openSockets() {
        return openSockets;
    }

    void close() {
        closing = true;
    }

    /** Runs until closed; what was offered before is handed to ZeroMQ first. */
    void run() {
        try {
            while (!closing || !queue.isEmpty()) {
                Outgoing next = queue.poll(HOUSEKEEPING_NANOS, TimeUnit.NANOSECONDS);
                if (next != null) {
                    send(next);
                }
                long now = nanoClock.getAsLong();
                if (now - nextHousekeeping >= 0) {
                    nextHousekeeping = now + HOUSEKEEPING_NANOS;
                    giveUpDeadSockets();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.values().forEach(PushSocket::close);
            sockets.clear();
            openSockets = 0;
        }
    }

    private void send(Outgoing message) {
        PushSocket socket =
                sockets.computeIfAbsent(message.to(), address -> new PushSocket(context, address, nanoClock));
        openSockets = sockets.size();
        if (!socket.send(message.frames())) {
            dropped.increment();
            giveUp(socket, "its queue is full");
            sockets.remove(message.to());
        }
    }

    private void giveUpDeadSockets() {
        Iterator<PushSocket> all = sockets.values().iterator();
        while (all.hasNext()) {
            PushSocket socket = all.next();
            if (socket.takeLost()) {
                events.onDisconnected(socket.address());
            }
            long disconnected = socket.disconnectedNanos();
            if (disconnected > graceNanos) {
                giveUp(socket, "no connection for " + TimeUnit.NANOSECONDS.toMillis(disconnected) + " ms");
                all.remove();
            } else if (disconnected == 0 && socket.idleNanos() > IDLE_NANOS) {
                all.remove();
                socket.close();
            }
        }
        openSockets = sockets.size();
    }

    private void giveUp(PushSocket socket, String why) {
        socket.close();
        givenUp.add(socket.address());
        events.onUnreachable(socket.address(), why);
    }
}
