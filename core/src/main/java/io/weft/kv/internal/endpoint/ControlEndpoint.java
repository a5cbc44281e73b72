package io.weft.kv.internal.endpoint;

import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.zeromq.ZContext;

/**
 * How a rank talks to other ranks: one PULL socket, PUSH sockets as needed, two threads. Safe from any thread.
 */
public final class ControlEndpoint implements AutoCloseable {
    private static final long JOIN_MILLIS = 2_000;

    private final ZContext context = new ZContext();
    private final Inbox inbox;
    private final Outbox outbox;
    private final Thread receiving;
    private final Thread sending;
    private boolean closed;

    /**
     * Binds. Nothing is received before {@link #start}.
     *
     * @param name what the threads are called after
     * @param host address of this host
     * @param grace how long a peer may be disconnected before messages to it are given up
     * @param nanoClock monotonic time
     * @param events who hears
     * @throws io.weft.api.WeftException RESOURCE_EXHAUSTED if no port can be bound
     */
    public ControlEndpoint(String name, String host, Duration grace, LongSupplier nanoClock, EndpointEvents events) {
        context.setLinger(0);
        try {
            inbox = new Inbox(context, host, events);
        } catch (RuntimeException refused) {
            context.close();
            throw refused;
        }
        outbox = new Outbox(context, events, grace, nanoClock);
        receiving = Thread.ofPlatform().daemon().name(name + "-in").unstarted(inbox::run);
        sending = Thread.ofPlatform().daemon().name(name + "-out").unstarted(outbox::run);
    }

    /** Starts to receive and send. */
    public void start() {
        receiving.start();
        sending.start();
    }

    /**
     * Where others reach this rank.
     *
     * @return host and bound port
     */
    public NetworkAddress address() {
        return inbox.address();
    }

    /**
     * Sends a message. Never blocks and never tells whether it arrived; an address that stays unreachable is reported to
     * the events.
     *
     * @param to the address
     * @param message the message
     * @return false if this rank's own queue is full; the message is dropped and counted
     */
    public boolean send(NetworkAddress to, KvMessage message) {
        return outbox.offer(to, KvCodec.encode(message));
    }

    /**
     * Messages dropped because a queue was full.
     *
     * @return a count
     */
    public long dropped() {
        return outbox.dropped();
    }

    /**
     * Whether the connection to an address was lost, or could not be made, and is not back yet. Of an address that was given up it is
     * asked whether it accepts a connection by now, which blocks for a second at most.
     *
     * @param address the address
     * @return false also for an address to which nothing was sent lately
     */
    public boolean isFailing(NetworkAddress address) {
        return outbox.isFailing(address);
    }

    /**
     * PUSH sockets now open.
     *
     * @return a count
     */
    public int openSockets() {
        return outbox.openSockets();
    }

    /** Hands queued messages over, closes the sockets and ends both threads. Bounded; idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        inbox.close();
        outbox.close();
        join(sending);
        join(receiving);
        context.close();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException stop) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
