package io.weft.kv.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects the frames of one message. */
final class FrameList {
    private static final byte[] EMPTY = {};

    private final List<byte[]> frames = new ArrayList<>(16);

    FrameList raw(byte[] frame) {
        frames.add(frame);
        return this;
    }

    FrameList empty() {
        return raw(EMPTY);
    }

    FrameList text(String value) {
        return raw(value.getBytes(StandardCharsets.UTF_8));
    }

    FrameList reason(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        int length = Frames.cut(utf8, Frames.MAX_REASON_BYTES);
        return raw(length == utf8.length ? utf8 : Arrays.copyOf(utf8, length));
    }

    FrameList number(long value) {
        return text(Long.toString(value));
    }

    FrameList room(long room) {
        return text(Long.toUnsignedString(room));
    }

    FrameList indices(int[] values) {
        ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(values.length, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        out.asIntBuffer().put(values);
        return raw(out.array());
    }

    List<byte[]> with(Extras extras) {
        if (extras.isPresent()) {
            raw(ExtrasCodec.encode(extras));
        }
        return List.copyOf(frames);
    }
}
