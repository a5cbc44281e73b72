package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads control frames from a stream that may be cut anywhere, without keeping more than one frame's fixed fields. Confined to
 * its owner.
 */
final class V3Parser {
    /** Most bytes that {@link #parse} leaves unread while it waits for more. */
    static final int MOST_LEFT = 32;
    /** Texts are cut to this; they are for people. */
    private static final int MOST_TEXT = 512;

    /** What a control connection says after its greeting, in the order of the bytes. */
    interface Sink {
        /** A request begins; its segments follow, then its lanes. */
        void onRequest(long operation, int memory, boolean read, boolean batch) throws IOException;

        /** One segment of the request; offset and size are unsigned. */
        void onSegment(long offset, long size) throws IOException;

        /** The request is complete. */
        void onLanes(int lanes) throws IOException;

        /** An operation ended at the target; the text is the callee's for the call only. */
        void onCompletion(long operation, int status, byte[] text, int textBytes) throws IOException;
    }

    private byte type;
    private int bodyLeft = -1;
    private int segmentsLeft = -1;
    private boolean inText;
    private long operation;
    private int status;
    private final byte[] text = new byte[MOST_TEXT];
    private int textBytes;

    /** Takes one frame, or the part of it that is there; false if more bytes are needed. */
    boolean parse(ByteBuffer in, Sink sink) throws IOException {
        if (bodyLeft < 0) {
            if (in.remaining() < V3.CONTROL_HEADER) {
                return false;
            }
            bodyLeft = V3.checkControlHeader(in, in.position());
            type = in.get(in.position() + 6);
            in.position(in.position() + V3.CONTROL_HEADER);
        }
        boolean whole = switch (type) {
            case V3.WRITE, V3.READ -> linear(in, sink);
            case V3.BATCH_WRITE, V3.BATCH_READ -> batch(in, sink);
            case V3.COMPLETION -> completion(in, sink);
            default -> throw new ProtocolException("a second hello");
        };
        if (whole) {
            bodyLeft = -1;
        }
        return whole;
    }

    private boolean linear(ByteBuffer in, Sink sink) throws IOException {
        if (bodyLeft != V3.LINEAR_BODY) {
            throw new ProtocolException("request of type " + type + " with " + bodyLeft + " bytes");
        }
        if (in.remaining() < V3.LINEAR_BODY) {
            return false;
        }
        sink.onRequest(in.getLong(), in.getInt(), type == V3.READ, false);
        sink.onSegment(in.getLong(), in.getLong());
        sink.onLanes(Byte.toUnsignedInt(in.get()));
        return true;
    }

    private boolean batch(ByteBuffer in, Sink sink) throws IOException {
        if (segmentsLeft < 0) {
            if (in.remaining() < V3.BATCH_FIXED) {
                return false;
            }
            long id = in.getLong();
            int memory = in.getInt();
            int segments = in.getInt();
            if (segments < 1
                    || segments > V3.MAX_SEGMENTS
                    || bodyLeft != V3.BATCH_FIXED + segments * V3.SEGMENT_BYTES + 1) {
                throw new ProtocolException(
                        "batch of " + Integer.toUnsignedString(segments) + " segments in " + bodyLeft + " bytes");
            }
            sink.onRequest(id, memory, type == V3.BATCH_READ, true);
            segmentsLeft = segments;
        }
        while (segmentsLeft > 0) {
            if (in.remaining() < V3.SEGMENT_BYTES) {
                return false;
            }
            sink.onSegment(in.getLong(), in.getLong());
            segmentsLeft--;
        }
        if (!in.hasRemaining()) {
            return false;
        }
        segmentsLeft = -1;
        sink.onLanes(Byte.toUnsignedInt(in.get()));
        return true;
    }

    private boolean completion(ByteBuffer in, Sink sink) throws IOException {
        if (!inText) {
            if (in.remaining() < V3.COMPLETION_FIXED) {
                return false;
            }
            operation = in.getLong();
            status = in.getInt();
            int length = in.getInt();
            if (length != bodyLeft - V3.COMPLETION_FIXED || (status != 0 && (status < 11 || status > 15))) {
                throw new ProtocolException("completion with status " + status + " and a text of "
                        + Integer.toUnsignedString(length) + " in " + bodyLeft + " bytes");
            }
            bodyLeft = length;
            textBytes = 0;
            inText = true;
        }
        int kept = Math.min(Math.min(in.remaining(), bodyLeft), MOST_TEXT - textBytes);
        in.get(text, textBytes, kept);
        textBytes += kept;
        int dropped = Math.min(in.remaining(), bodyLeft - kept);
        in.position(in.position() + dropped);
        bodyLeft -= kept + dropped;
        if (bodyLeft > 0) {
            return false;
        }
        inText = false;
        sink.onCompletion(operation, status, text, textBytes);
        return true;
    }
}
