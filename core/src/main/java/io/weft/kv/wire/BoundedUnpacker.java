package io.weft.kv.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/** msgpack from strangers: no claimed length is believed beyond the bytes that are there. */
final class BoundedUnpacker {
    private final String what;
    private final byte[] bytes;
    private final MessageUnpacker in;

    BoundedUnpacker(String what, byte[] bytes) {
        this.what = what;
        this.bytes = bytes;
        this.in = MessagePack.newDefaultUnpacker(bytes);
    }

    /** A step of reading. */
    @FunctionalInterface
    interface Step<T> {
        T read() throws IOException, FrameException;
    }

    <T> T read(Step<T> step) throws FrameException {
        try {
            return step.read();
        } catch (IOException | MessagePackException broken) {
            throw FrameException.malformed(what + " is not the msgpack expected at byte " + in.getTotalReadBytes()
                    + ": " + broken.getClass().getSimpleName());
        }
    }

    int mapHeader() throws FrameException {
        return bounded("map", read(in::unpackMapHeader), 2);
    }

    int arrayHeader() throws FrameException {
        return bounded("array", read(in::unpackArrayHeader), 1);
    }

    byte[] binary() throws FrameException {
        int length = bounded("binary", read(in::unpackBinaryHeader), 1);
        return read(() -> in.readPayload(length));
    }

    String text() throws FrameException {
        int length = bounded("text", read(in::unpackRawStringHeader), 1);
        return new String(read(() -> in.readPayload(length)), StandardCharsets.UTF_8);
    }

    int integer() throws FrameException {
        return read(in::unpackInt);
    }

    /** A signed 64-bit value, or an unsigned one as its bits. */
    long bits() throws FrameException {
        return read(() -> in.unpackBigInteger().longValue());
    }

    long positive() throws FrameException {
        long value = read(in::unpackLong);
        if (value < 0) {
            throw FrameException.malformed(what + " holds " + value + " where a size must be");
        }
        return value;
    }

    boolean bool() throws FrameException {
        return read(in::unpackBoolean);
    }

    <T> List<T> list(Step<T> element) throws FrameException {
        int count = arrayHeader();
        List<T> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(read(element));
        }
        return values;
    }

    void skip() throws FrameException {
        read(() -> {
            in.skipValue();
            return true;
        });
    }

    void end() throws FrameException {
        long left = bytes.length - in.getTotalReadBytes();
        if (left != 0) {
            throw FrameException.malformed(what + " has " + left + " bytes after its end");
        }
    }

    private int bounded(String part, int count, int bytesEach) throws FrameException {
        long left = bytes.length - in.getTotalReadBytes();
        if (count < 0 || (long) count * bytesEach > left) {
            throw FrameException.malformed(what + " claims a " + part + " of " + Integer.toUnsignedString(count)
                    + " with " + left + " bytes left");
        }
        return count;
    }
}
