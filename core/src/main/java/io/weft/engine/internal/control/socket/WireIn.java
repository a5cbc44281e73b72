package io.weft.engine.internal.control.socket;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Reads a frame's body. Every length is held against its limit and against what is there. Confined to one thread. */
final class WireIn {
    private final ByteBuffer in;

    WireIn(byte[] body, int length) {
        in = ByteBuffer.wrap(body, 0, length).slice();
    }

    int u8(String field) {
        return read(field, () -> in.get() & 0xff);
    }

    int u16(String field) {
        return read(field, () -> in.getShort() & 0xffff);
    }

    int i32(String field) {
        return read(field, in::getInt);
    }

    long i64(String field) {
        return read(field, in::getLong);
    }

    byte[] fixed(String field, int length) {
        if (length > in.remaining()) {
            throw truncated(field);
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** A 32-bit length and that many bytes. */
    byte[] bytes(String field, int max) {
        int length = i32(field);
        if (length < 0 || length > max) {
            throw new ProtocolException(
                    field + " claims " + Integer.toUnsignedString(length) + " bytes, at most " + max);
        }
        return fixed(field, length);
    }

    /** A 16-bit length and that many bytes of UTF-8. */
    String text(String field, int max) {
        int length = u16(field);
        if (length > max) {
            throw new ProtocolException(field + " claims " + length + " bytes, at most " + max);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(fixed(field, length)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new ProtocolException(field + " is not UTF-8");
        }
    }

    /** What is left, for signatures over it. */
    byte[] rest() {
        return fixed("rest", in.remaining());
    }

    /** Later minors may append fields only to the hello; everything else ends where it is known to end. */
    void end(FrameType type) {
        if (in.hasRemaining()) {
            throw new ProtocolException(type + " has " + in.remaining() + " bytes too many");
        }
    }

    private <T> T read(String field, Supplier<T> get) {
        try {
            return get.get();
        } catch (BufferUnderflowException tooShort) {
            throw truncated(field);
        }
    }

    private static ProtocolException truncated(String field) {
        return new ProtocolException(field + " is truncated");
    }
}
