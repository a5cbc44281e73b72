package io.weft.kv;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;

/**
 * Why a room failed. Made for the caller to throw or log; no call of the KV layer throws it by itself.
 *
 * @since 0.1
 */
public final class KvTransferException extends WeftException {
    private static final long serialVersionUID = 1L;

    /** The room, unsigned. */
    private final long room;
    /** Whether the reason came from another rank. */
    private final boolean fromAnotherRank;

    /**
     * Creates an exception.
     *
     * @param room the room, unsigned
     * @param code the stable code
     * @param reason why
     * @param fromAnotherRank whether this rank only heard of the failure
     */
    public KvTransferException(long room, ErrorCode code, String reason, boolean fromAnotherRank) {
        super(code, reason);
        this.room = room;
        this.fromAnotherRank = fromAnotherRank;
    }

    /**
     * The room.
     *
     * @return an unsigned 64-bit value
     */
    public long room() {
        return room;
    }

    /**
     * Whether this rank only heard of the failure.
     *
     * @return true if another rank reported it
     */
    public boolean isFromAnotherRank() {
        return fromAnotherRank;
    }
}
