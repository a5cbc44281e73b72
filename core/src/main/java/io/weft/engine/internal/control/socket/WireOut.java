package io.weft.engine.internal.control.socket;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a frame: 32-bit body length, 8-bit type, body; all integers big-endian. Confined to one thread. */
final class WireOut {
    static final int HEADER = 5;

    private byte[] out = new byte[128];
    private int size = HEADER;

    WireOut u8(int value) {
        room(1);
        out[size++] = (byte) value;
        return this;
    }

    WireOut u16(int value) {
        return u8(value >> 8).u8(value);
    }

    WireOut i32(int value) {
        return u16(value >> 16).u16(value);
    }

    WireOut i64(long value) {
        return i32((int) (value >> 32)).i32((int) value);
    }

    WireOut raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, out, size, value.length);
        size += value.length;
        return this;
    }

    WireOut bytes(String what, byte[] value, int max) {
        if (value.length > max) {
            throw new IllegalArgumentException(what + " has " + value.length + " bytes, at most " + max);
        }
        return i32(value.length).raw(value);
    }

    /** Cut to the limit, at a whole character: for texts that explain. */
    WireOut clipped(String value, int max) {
        ByteBuffer utf8 = ByteBuffer.allocate(max);
        StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(CharBuffer.wrap(value), utf8, true);
        return u16(utf8.position()).raw(Arrays.copyOf(utf8.array(), utf8.position()));
    }

    /** Refused beyond the limit: for texts that mean something to the peer. */
    WireOut text(String what, String value, int max) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > max) {
            throw new IllegalArgumentException(what + " has " + utf8.length + " bytes in UTF-8, at most " + max);
        }
        return u16(utf8.length).raw(utf8);
    }

    /** The body so far, for signatures over it. */
    byte[] body() {
        return Arrays.copyOfRange(out, HEADER, size);
    }

    ByteBuffer frame(FrameType type) {
        int length = size - HEADER;
        if (length > type.maxBody) {
            throw new IllegalArgumentException(type + " would have " + length + " bytes, at most " + type.maxBody);
        }
        return ByteBuffer.wrap(out, 0, size).putInt(0, length).put(4, (byte) type.number);
    }

    private void room(int more) {
        if (size + more > out.length) {
            out = Arrays.copyOf(out, Math.max(2 * out.length, size + more));
        }
    }
}
