package io.weft.engine.internal.control.socket;

import org.jspecify.annotations.Nullable;

/** Frames and the largest body of each; numbers are frozen, see {@code docs/wire.md}. */
enum FrameType {
    OPEN(1, Limits.HANDSHAKE),
    CHALLENGE(2, Limits.HANDSHAKE),
    HELLO(3, Limits.HELLO),
    REFUSE(4, Limits.TEXT + 16),
    HEARTBEAT(16, 0),
    FETCH_KEY(17, 256),
    REVOKE(18, 64),
    FENCE(19, 256),
    CALL(20, Limits.MESSAGE + 256),
    RESULT(21, Limits.MESSAGE + 16),
    ERROR(22, Limits.TEXT + 16),
    END(23, Limits.TEXT + Limits.NOTIFICATION + 32),
    MESSAGE(24, Limits.MESSAGE + 256),
    BYE(25, Limits.TEXT + 16);

    /** Sizes in bytes. */
    static final class Limits {
        static final int HANDSHAKE = 128;
        static final int HELLO = 256 * 1024;
        static final int TEXT = 1_024;
        static final int NAME = 64;
        static final int WIRE_KEY = 1_024;
        static final int ADDRESS = 4_096;
        static final int REGION_KEY = 4_096 + 64; // a backend's key, and what the engine says of the region
        static final int NOTIFICATION = 4_096;
        static final int MESSAGE = 65_536;

        private Limits() {}
    }

    private static final @Nullable FrameType[] BY_NUMBER = new @Nullable FrameType[32];

    static {
        for (FrameType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    final int number;
    final int maxBody;

    FrameType(int number, int maxBody) {
        this.number = number;
        this.maxBody = maxBody;
    }

    /** Null for an unknown number. */
    static @Nullable FrameType of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
