package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.spi.Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * All connections with one plain MORI-IO engine: one for control, some for data, used by both sides as initiator and target.
 * Whichever of them breaks ends the session, as v3 demands. Everything in it, its {@link V3Initiator} and its {@link V3Target}
 * is guarded by its monitor, also the reading and writing of its sockets, so nothing touches memory once {@link #lose} has
 * run.
 */
final class V3Session {
    private final V3Sessions owner;
    private final TcpBackend backend;
    private final Peer peer;
    private final V3Initiator initiator;
    private final V3Target target;
    private final long readyDeadlineNanos;
    private final CompletableFuture<V3Session> ready = new CompletableFuture<>();
    private final List<V3Data> data = new ArrayList<>();
    private final ArrayDeque<V3Payload> sparePayloads = new ArrayDeque<>();
    private @Nullable V3Control control;
    private @Nullable V3Link link;
    private int nextData;
    private boolean down;

    V3Session(V3Sessions owner, TcpBackend backend, Peer peer) {
        this.owner = owner;
        this.backend = backend;
        this.peer = peer;
        this.initiator = new V3Initiator(this, backend);
        this.target = new V3Target(this, backend);
        this.readyDeadlineNanos =
                backend.context().clock().nanos() + backend.settings().greetingNanos();
    }

    TcpBackend backend() {
        return backend;
    }

    Peer peer() {
        return peer;
    }

    V3Initiator initiator() {
        return initiator;
    }

    V3Target target() {
        return target;
    }

    /** Completes when the control connection and one for data are there. */
    CompletableFuture<V3Session> ready() {
        return ready;
    }

    synchronized boolean isDown() {
        return down;
    }

    /** Makes a link the one that hears of the session's end; false if it has ended or has one. */
    synchronized boolean attach(V3Link candidate) {
        if (down || link != null) {
            return false;
        }
        link = candidate;
        return true;
    }

    /**
     * Takes a connection in whose greeting is over; reactor only.
     *
     * @param first what was read behind the greeting
     * @return false if there is no place for it
     */
    boolean join(byte channel, Connection connection, ByteBuffer first) throws IOException {
        FrameReader reader;
        synchronized (this) {
            if (down) {
                return false;
            }
            if (channel == V3.CONTROL_CHANNEL) {
                if (control != null) {
                    return false;
                }
                control = new V3Control(this, connection);
                reader = control;
            } else {
                if (data.size() == V3.MAX_LANES) {
                    return false;
                }
                V3Data lane = new V3Data(this, connection);
                data.add(lane);
                reader = lane;
            }
            connection.handOver(reader);
            connection.tick(true);
            reader.feed(first);
            if (control != null && !data.isEmpty()) {
                ready.complete(this);
                target.serveParked();
            }
        }
        return true;
    }

    void onWritable() {
        if (link != null) {
            link.onWritable();
        }
    }

    /** Lanes for an operation of so many bytes. */
    int lanesFor(long bytes) {
        return Math.clamp(bytes / backend.settings().stripeBytes(), 1, Math.max(1, data.size()));
    }

    boolean hasData() {
        return !data.isEmpty();
    }

    void sendControl(V3Frame frame) throws IOException {
        if (control == null) {
            throw new ProtocolException("an operation before the control connection");
        }
        control.queue(frame);
    }

    /** Queues one data frame per lane, spread over the connections. */
    void sendPayload(byte kind, long operation, Extents extents, int lanes, V3Payload.Owner payloadOwner)
            throws IOException {
        for (int lane = 0; lane < lanes; lane++) {
            V3Payload spare = sparePayloads.poll();
            V3Payload payload = spare == null ? new V3Payload() : spare;
            data.get(Math.floorMod(nextData++, data.size()))
                    .queue(payload.fill(kind, lane, lanes, operation, extents, payloadOwner));
        }
    }

    void recycle(V3Payload payload) {
        payload.extents = null;
        payload.owner = null;
        sparePayloads.push(payload);
    }

    /** A request came in for which data may be waiting. */
    void resumeParked(long operation) {
        for (V3Data lane : data) {
            lane.resumeIfParkedFor(operation);
        }
    }

    int parkedCount() {
        int parked = 0;
        for (V3Data lane : data) {
            parked += lane.isParked() ? 1 : 0;
        }
        return parked;
    }

    synchronized void onTick(long now) throws IOException {
        if (!ready.isDone() && now - readyDeadlineNanos > 0) {
            throw new IOException("the connections of " + peer.key() + " were not complete in time");
        }
        target.expire(now);
        for (V3Data lane : data) {
            lane.expire(now);
        }
    }

    /** Ends the session: afterwards nothing of it touches memory, and all it had accepted is completed. Any thread. */
    void lose(Throwable cause) {
        if (cause instanceof ProtocolException) {
            backend.counters().malformed().add(1);
            lose(ErrorCode.PROTOCOL, cause);
        } else {
            lose(cause instanceof IOException ? ErrorCode.PEER_LOST : ErrorCode.INTERNAL, cause);
        }
    }

    void lose(ErrorCode code, Throwable cause) {
        String text = "the connections with MORI-IO engine " + peer.key() + " ended: " + cause.getMessage();
        V3Link told;
        synchronized (this) {
            if (down) {
                return;
            }
            down = true;
            told = link;
            target.failAll(text);
        }
        owner.forget(this);
        ready.completeExceptionally(cause);
        for (Connection connection : connections()) {
            connection.reactor().execute(() -> connection.reset(new IOException(text, cause)));
        }
        initiator.failAll(code);
        if (told != null) {
            told.onDown(code, text);
        }
    }

    synchronized List<Connection> connections() {
        List<Connection> all = new ArrayList<>();
        if (control != null) {
            all.add(control.connection());
        }
        data.forEach(lane -> all.add(lane.connection()));
        return all;
    }

    synchronized List<Long> bytesPerLane() {
        return data.stream().map(V3Data::bytesSent).toList();
    }
}
