package io.weft.kv;

/**
 * State of a lease on memory of a room. It ends in one of the last two, each of which says why nothing of the room can touch the
 * memory any more (rule KV-4).
 *
 * @since 0.1
 */
public enum LeaseState {
    /** The room uses the memory. */
    HELD,
    /** The room ended without success and a Weft peer is draining its writes. */
    DRAINING,
    /** The room ended without success and an older peer, which cannot confirm, may still write. */
    QUARANTINED,
    /** Released: every writer reported that its writes are over. */
    ACKED,
    /** Released: writers that did not report were cut off from this rank's memory. */
    FENCED;

    /**
     * Whether the memory may be used again.
     *
     * @return true for the two released states
     */
    public boolean isReleased() {
        return this == ACKED || this == FENCED;
    }
}
