package io.weft.kv.wire;

/**
 * Who reads a message. The guard frame alone does not tell the kinds apart; the side that it arrived at does.
 *
 * @since 0.1
 */
public enum Receiver {
    /** A prefill rank: it gets registrations, metadata and aborts. */
    PREFILL,
    /** A decode rank: it gets statuses and aux rows. */
    DECODE
}
