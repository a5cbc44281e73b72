package io.weft.backend.tcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The frames of MORI-IO's TCP protocol, version 3. Integers are big-endian.
 *
 * <p>Control frame: u32 magic {@code MTC0}, u16 version, u8 type, u8 0, u32 body length, body. Data frame: u32 magic
 * {@code MTD0}, u16 version, u8 kind, u8 lane, u64 operation, u64 payload length, payload.
 */
final class V3 {
    static final int CONTROL_MAGIC = 0x4D544330;
    static final int DATA_MAGIC = 0x4D544430;
    static final short VERSION = 3;
    static final int CONTROL_HEADER = 12;
    static final int DATA_HEADER = 24;
    static final int MAX_BODY = 1 << 20;
    static final int MAX_LANES = 16;

    /** u8 channel, u32 key length, key. */
    static final byte HELLO = 1;
    /** u64 operation, u32 memory, u64 offset, u64 size, u8 lanes. */
    static final byte WRITE = 2;
    /** As {@link #WRITE}. */
    static final byte READ = 3;
    /** u64 operation, u32 memory, u32 n, n times (u64 offset, u64 size), u8 lanes. */
    static final byte BATCH_WRITE = 4;
    /** As {@link #BATCH_WRITE}. */
    static final byte BATCH_READ = 5;
    /** u64 operation, u32 status, u32 text length, text. */
    static final byte COMPLETION = 6;

    static final byte CONTROL_CHANNEL = 1;
    static final byte DATA_CHANNEL = 2;

    static final byte WRITE_PAYLOAD = 1;
    static final byte READ_PAYLOAD = 2;

    static final int LINEAR_BODY = 29;
    static final int BATCH_FIXED = 16;
    static final int SEGMENT_BYTES = 16;
    static final int COMPLETION_FIXED = 16;
    /** The body limit leaves room for so many segments. */
    static final int MAX_SEGMENTS = (MAX_BODY - BATCH_FIXED - 1) / SEGMENT_BYTES;

    static final int MAX_KEY_BYTES = 1_024;

    private V3() {}

    static void controlHeader(ByteBuffer out, byte type, int bodyBytes) {
        out.putInt(CONTROL_MAGIC).putShort(VERSION).put(type).put((byte) 0).putInt(bodyBytes);
    }

    static void linear(ByteBuffer out, byte type, long operation, int memory, long offset, long size, int lanes) {
        controlHeader(out, type, LINEAR_BODY);
        out.putLong(operation).putInt(memory).putLong(offset).putLong(size).put((byte) lanes);
    }

    /** What goes before the segments of a batch; behind them goes the number of lanes in one byte. */
    static void batchHead(ByteBuffer out, byte type, long operation, int memory, int segments) {
        controlHeader(out, type, BATCH_FIXED + segments * SEGMENT_BYTES + 1);
        out.putLong(operation).putInt(memory).putInt(segments);
    }

    static void completion(ByteBuffer out, long operation, int status, byte[] text) {
        controlHeader(out, COMPLETION, COMPLETION_FIXED + text.length);
        out.putLong(operation).putInt(status).putInt(text.length).put(text);
    }

    static void dataHeader(ByteBuffer out, byte kind, int lane, long operation, long payloadBytes) {
        out.putInt(DATA_MAGIC)
                .putShort(VERSION)
                .put(kind)
                .put((byte) lane)
                .putLong(operation)
                .putLong(payloadBytes);
    }

    /** Checks magic, version, type and length; the reserved byte is not looked at, as in MORI. */
    static int checkControlHeader(ByteBuffer in, int at) throws ProtocolException {
        int magic = in.getInt(at);
        short version = in.getShort(at + 4);
        byte type = in.get(at + 6);
        int body = in.getInt(at + 8);
        if (magic != CONTROL_MAGIC
                || version != VERSION
                || type < HELLO
                || type > COMPLETION
                || body < 0
                || body > MAX_BODY) {
            throw new ProtocolException("control header with magic " + Integer.toHexString(magic) + ", version "
                    + version + ", type " + type + ", body of " + Integer.toUnsignedString(body) + " bytes");
        }
        return body;
    }

    static void checkDataHeader(ByteBuffer in, int at) throws ProtocolException {
        int magic = in.getInt(at);
        short version = in.getShort(at + 4);
        byte kind = in.get(at + 6);
        byte lane = in.get(at + 7);
        if (magic != DATA_MAGIC
                || version != VERSION
                || (kind != WRITE_PAYLOAD && kind != READ_PAYLOAD)
                || lane < 0
                || lane >= MAX_LANES) {
            throw new ProtocolException("data header with magic " + Integer.toHexString(magic) + ", version " + version
                    + ", kind " + kind + ", lane " + lane);
        }
    }

    /**
     * First frame of each connection, in both directions.
     *
     * @param channel {@link #CONTROL_CHANNEL} or {@link #DATA_CHANNEL}
     * @param key wire key of the sender
     */
    record Hello(byte channel, String key) {
        ByteBuffer encode() {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(CONTROL_HEADER + 5 + bytes.length);
            controlHeader(out, HELLO, 5 + bytes.length);
            return out.put(channel).putInt(bytes.length).put(bytes).flip();
        }

        /** Null as long as bytes are missing. */
        static @Nullable Hello decode(ByteBuffer in) throws ProtocolException {
            if (in.remaining() < CONTROL_HEADER) {
                return null;
            }
            int at = in.position();
            int body = checkControlHeader(in, at);
            if (in.get(at + 6) != HELLO || body < 6 || body > 5 + MAX_KEY_BYTES) {
                throw new ProtocolException("first frame is of type " + in.get(at + 6) + " with " + body + " bytes");
            }
            if (in.remaining() < CONTROL_HEADER + body) {
                return null;
            }
            byte channel = in.get(at + CONTROL_HEADER);
            int keyBytes = in.getInt(at + CONTROL_HEADER + 1);
            if ((channel != CONTROL_CHANNEL && channel != DATA_CHANNEL) || keyBytes != body - 5) {
                throw new ProtocolException("hello for channel " + channel + " with a key of " + keyBytes + " bytes");
            }
            byte[] key = new byte[keyBytes];
            in.position(at + CONTROL_HEADER + 5);
            in.get(key);
            return new Hello(channel, new String(key, StandardCharsets.UTF_8));
        }
    }

    /** First byte of a lane's share: shares differ by at most one byte, longer ones first. */
    static long laneStart(long total, int lanes, int lane) {
        return lane * (total / lanes) + Math.min(lane, total % lanes);
    }

    static long laneBytes(long total, int lanes, int lane) {
        return total / lanes + (lane < total % lanes ? 1 : 0);
    }
}
