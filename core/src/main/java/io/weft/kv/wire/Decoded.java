package io.weft.kv.wire;

/**
 * What became of the frames that arrived.
 *
 * @since 0.1
 */
public sealed interface Decoded {
    /**
     * A well-formed message.
     *
     * @param message the message
     */
    record Accepted(KvMessage message) implements Decoded {}

    /**
     * Frames that are no message of the protocol. They change nothing; the receiver counts them.
     *
     * @param reason the kind of defect, for counters
     * @param text which frame of which message, what was found, what was allowed; never the payload itself
     */
    record Rejected(Reason reason, String text) implements Decoded {}

    /** Why frames were rejected. */
    enum Reason {
        /** The first frame names no message that this side takes. */
        UNKNOWN,
        /** Fewer frames than the message needs, or more than any version may add. */
        FRAME_COUNT,
        /** A frame is longer than allowed. */
        OVERSIZED,
        /** A frame does not hold what it should: a number, a text, an address, a list. */
        MALFORMED
    }
}
