package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A data connection of a {@link V3Session}: payload frames in both directions. */
final class V3Data extends V3Reader {
    private static final int HEAD_BYTES = 4 << 10;

    private final ArrayDeque<V3Payload> queue = new ArrayDeque<>();
    private @Nullable V3Payload sending;
    private long bytesSent;

    private boolean hasHeader;
    private byte kind;
    private int lane;
    private long operation;
    private long bytes;
    private @Nullable V3Lanes receiving;
    private boolean parked;
    private long parkedUntil;

    V3Data(V3Session session, Connection connection) {
        super(session, connection, HEAD_BYTES, HEAD_BYTES + V3.DATA_HEADER);
    }

    /** Queues a payload and sends what the socket takes now. */
    void queue(V3Payload payload) throws IOException {
        queue.add(payload);
        send();
    }

    long bytesSent() {
        return bytesSent;
    }

    boolean isParked() {
        return parked;
    }

    @Override
    public boolean next(ByteBuffer out, Cursor payload) {
        if (sending != null) {
            V3Payload sent = sending;
            sending = null;
            V3Payload.Owner owner = sent.owner;
            bytesSent += sent.bytes;
            session.recycle(sent);
            if (owner != null) {
                owner.onLaneSent();
            }
        }
        if (session.isDown()) {
            return false;
        }
        V3Payload frame = queue.poll();
        if (frame == null) {
            return false;
        }
        sending = frame;
        V3.dataHeader(out, frame.kind, frame.lane, frame.operation, frame.bytes);
        if (frame.bytes > 0 && frame.extents != null) {
            payload.startAt(frame.extents, frame.start, frame.bytes);
        }
        return true;
    }

    @Override
    boolean onFrame(ByteBuffer in) throws IOException {
        if (!hasHeader) {
            if (in.remaining() < V3.DATA_HEADER) {
                return false;
            }
            V3.checkDataHeader(in, in.position());
            kind = in.get(in.position() + 6);
            lane = in.get(in.position() + 7);
            operation = in.getLong(in.position() + 8);
            bytes = in.getLong(in.position() + 16);
            in.position(in.position() + V3.DATA_HEADER);
            hasHeader = true;
        }
        V3Lanes lanes = kind == V3.WRITE_PAYLOAD
                ? session.target().lanesOf(operation)
                : session.initiator().lanesOf(operation);
        if (lanes == null) {
            park();
            return false;
        }
        hasHeader = false;
        receiving = lanes;
        lanes.begin(lane, bytes, incoming);
        if (bytes == 0) {
            onPayload();
        }
        return true;
    }

    /** Data may come before its request: the connection waits for that, without reading on. */
    private void park() throws IOException {
        if (kind == V3.READ_PAYLOAD) {
            throw new ProtocolException("payload for read " + Long.toUnsignedString(operation) + ", which is not open");
        }
        parked = true;
        parkedUntil = session.backend().context().clock().nanos()
                + session.backend().settings().plainTimeoutNanos();
        pause();
    }

    /** Goes on in the reactor if the request that just came is the one waited for. */
    void resumeIfParkedFor(long arrived) {
        if (parked && operation == arrived) {
            parked = false;
            connection().reactor().execute(() -> {
                synchronized (session) {
                    if (session.isDown()) {
                        return;
                    }
                    try {
                        resume();
                    } catch (IOException failed) {
                        connection().reset(failed);
                    }
                }
            });
        }
    }

    void expire(long now) throws IOException {
        if (parked && now - parkedUntil > 0) {
            throw new IOException("data for write " + Long.toUnsignedString(operation) + " came without its request");
        }
    }

    @Override
    void onPayload() throws IOException {
        V3Lanes lanes = receiving;
        receiving = null;
        boolean spoiled = incoming.isSpoiled();
        incoming.stop();
        if (lanes != null) {
            lanes.end(spoiled);
        }
    }
}
