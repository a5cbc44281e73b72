package io.weft.engine.internal.control.socket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into frames, however it was split on the way. Type and length are judged as soon as the header is there;
 * memory grows with what arrives, not with what a header claims. Confined to one thread.
 */
final class FrameReader {
    private static final int FIRST_PIECE = 1_024;

    /** Takes frames. */
    interface Sink {
        /** Whether this type may come now; judged before the body arrives. */
        boolean allows(FrameType type);

        /** One whole frame. */
        void frame(FrameType type, WireIn body);

        /** False makes the reader drop the rest. */
        boolean wantsMore();
    }

    private final ByteBuffer header = ByteBuffer.allocate(WireOut.HEADER);
    private @Nullable FrameType type;
    private byte[] body = {};
    private int length;
    private int filled;

    /**
     * Consumes all bytes, unless the sink wants no more.
     *
     * @throws ProtocolException at the first byte that makes the stream invalid
     */
    void feed(ByteBuffer in, Sink sink) {
        while (sink.wantsMore()) {
            FrameType current = type;
            if (current == null) {
                if (!readHeader(in, sink)) {
                    return;
                }
            } else if (!readBody(in)) {
                return;
            } else {
                type = null;
                sink.frame(current, new WireIn(body, length));
            }
        }
    }

    private boolean readHeader(ByteBuffer in, Sink sink) {
        while (header.hasRemaining()) {
            if (!in.hasRemaining()) {
                return false;
            }
            header.put(in.get());
        }
        header.clear();
        int number = header.get(4) & 0xff;
        FrameType found = FrameType.of(number);
        if (found == null) {
            throw new ProtocolException("frame of unknown type " + number);
        }
        if (!sink.allows(found)) {
            throw new ProtocolException(found + " frame out of place");
        }
        length = header.getInt(0);
        if (length < 0 || length > found.maxBody) {
            throw new ProtocolException(
                    found + " frame claims " + Integer.toUnsignedString(length) + " bytes, at most " + found.maxBody);
        }
        body = new byte[Math.min(length, FIRST_PIECE)];
        filled = 0;
        type = found;
        return true;
    }

    private boolean readBody(ByteBuffer in) {
        while (filled < length) {
            if (!in.hasRemaining()) {
                return false;
            }
            if (filled == body.length) {
                body = Arrays.copyOf(body, Math.min(length, 2 * body.length));
            }
            int part = Math.min(in.remaining(), body.length - filled);
            in.get(body, filled, part);
            filled += part;
        }
        return true;
    }
}
