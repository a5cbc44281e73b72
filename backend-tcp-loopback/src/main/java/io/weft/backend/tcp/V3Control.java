package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The control connection of a {@link V3Session}: requests and completions in both directions. */
final class V3Control extends V3Reader implements V3Parser.Sink {
    private static final int HEAD_BYTES = 64 << 10;
    /** Answers that the peer does not read. */
    private static final int MOST_QUEUED = 8_192;

    private final ArrayDeque<V3Frame> queue = new ArrayDeque<>();
    private @Nullable V3Frame sending;

    private final V3Parser parser = new V3Parser();
    private @Nullable V3Inbound request;
    private int memory;
    private int outOfBounds;

    V3Control(V3Session session, Connection connection) {
        super(session, connection, HEAD_BYTES, V3Parser.MOST_LEFT);
    }

    /** Queues a frame and sends what the socket takes now. */
    void queue(V3Frame frame) throws IOException {
        if (queue.size() >= MOST_QUEUED) {
            throw new ProtocolException("the peer does not read its answers");
        }
        queue.add(frame);
        send();
    }

    @Override
    public boolean next(ByteBuffer out, Cursor payload) {
        if (sending == null) {
            sending = queue.poll();
        }
        if (sending == null) {
            return false;
        }
        if (sending.write(out)) {
            sending = null;
        }
        return true;
    }

    @Override
    boolean onFrame(ByteBuffer in) throws IOException {
        return parser.parse(in, this);
    }

    @Override
    public void onRequest(long operation, int memoryId, boolean read, boolean batch) throws IOException {
        memory = memoryId;
        // MORI distinguishes: 12 for a linear read, 11 for everything else.
        outOfBounds = read && !batch ? 12 : 11;
        request = session.target().begin(operation, read);
    }

    @Override
    public void onSegment(long offset, long size) throws IOException {
        session.target().segment(begun(), memory, offset, size, outOfBounds);
    }

    @Override
    public void onLanes(int lanes) throws IOException {
        V3Inbound complete = begun();
        request = null;
        session.target().start(complete, lanes);
    }

    private V3Inbound begun() {
        if (request == null) {
            throw new IllegalStateException("no request was begun");
        }
        return request;
    }

    @Override
    public void onCompletion(long operation, int status, byte[] text, int textBytes) throws IOException {
        session.initiator().onCompletion(operation, status, text, textBytes);
    }

    @Override
    void onPayload() {
        throw new IllegalStateException("no payload on a control connection");
    }
}
