package io.weft.kv.wire;

/**
 * What a prefill rank knows about its own writes when it reports a room's end. It decides whether the decode rank may hand
 * the pages out again (rule KV-4).
 *
 * @since 0.1
 */
public enum Quiet {
    /** Not said: an older peer. */
    UNSAID,
    /** Writes are still being drained; another status follows. */
    PENDING,
    /** Every write of the room is terminal and the remote side quiesced; as an answer to an abort, its acknowledgement. */
    ACKED,
    /** Some write ended unconfirmed: the decode rank has to fence this peer before it hands the pages out. */
    UNCONFIRMED;

    private static final Quiet[] BY_NUMBER = values();

    static Quiet of(int number) throws FrameException {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw FrameException.malformed("quiescence " + number + " is unknown");
        }
        return BY_NUMBER[number];
    }
}
