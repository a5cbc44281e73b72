package io.weft.backend.tcp;

/**
 * The lane protocol between Weft engines, version 1: {@code docs/tcp.md} has the layout of every frame. Integers are
 * big-endian.
 *
 * <p>The unit is a chunk: a table of target segments with at most {@link #MAX_CHUNK} bytes of payload. Every chunk stands for
 * itself, so a target keeps no state of operations, lanes need no order among each other, and an initiator abandons an
 * operation by cutting no more chunks of it.
 */
final class LaneWire {
    static final int VERSION = 1;
    /** {@code WTL1}: first bytes of a lane connection in both directions. */
    static final int MAGIC = 0x57544C31;

    static final int MAX_CHUNK = 256 << 10;
    static final int MIN_CHUNK = 4 << 10;
    static final int MAX_SEGMENTS = 4_096;
    static final int MAX_TABLE = 32 << 10;
    static final int MAX_LANES = 16;
    /** Most GET chunks that a target has to remember for a lane. */
    static final int GET_WINDOW = 32;

    /** u8 type, u8 flags, u16 runs, u32 segments, u32 payload bytes, u32 sequence; table; payload if PUT. */
    static final int REQUEST_BYTES = 16;
    /** u32 region, u32 segments. */
    static final int RUN_BYTES = 8;
    /** u64 offset, u32 length. */
    static final int SEGMENT_BYTES = 12;

    static final byte PUT = 0x01;
    static final byte GET = 0x02;
    /** Flag of a PUT: acknowledge at once. */
    static final byte ACK_NOW = 0x01;

    /** u8 type, u8 kind, u8 reason, u8 0, u32 sequence. */
    static final int REPLY_BYTES = 8;

    /** All PUT chunks up to the sequence are in memory or were refused. */
    static final byte ACK = 0x11;
    /** Followed by u32 payload bytes and the payload: the answer to the oldest open GET chunk. */
    static final byte DATA = 0x12;
    /** The chunk was refused; for a GET in place of its DATA, for a PUT before the ACK that covers it. */
    static final byte NAK = 0x13;

    private LaneWire() {}

    static int tableBytes(int runs, int segments) {
        return runs * RUN_BYTES + segments * SEGMENT_BYTES;
    }
}
