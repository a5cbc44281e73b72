package io.weft.kv.internal.room;

import io.weft.api.ErrorCode;
import io.weft.kv.KvPoll;
import java.util.Locale;

/**
 * Texts of failures. They keep the words by which operators search the original's logs; an explanation follows.
 */
public final class Reasons {
    /** An abort. */
    public static final String ABORTED = "Aborted by AbortReq.";

    private Reasons() {}

    /**
     * A deadline that passed.
     *
     * @param room the room
     * @param elapsedNanos how long it was in the state
     * @param state the state
     * @param why what was missing and what to do
     * @return the failure
     */
    public static RoomFailure timedOut(long room, long elapsedNanos, KvPoll state, String why) {
        return new RoomFailure(
                ErrorCode.DEADLINE_EXCEEDED,
                String.format(
                        Locale.ROOT,
                        "Request %s timed out after %.1fs in KVPoll.%s: %s",
                        Long.toUnsignedString(room),
                        elapsedNanos / 1e9,
                        state.wireName(),
                        why));
    }

    /**
     * A room that somebody gave up.
     *
     * @param by which rank, empty for this one's own scheduler
     * @return the failure
     */
    public static RoomFailure aborted(String by) {
        return new RoomFailure(ErrorCode.CANCELLED, by.isEmpty() ? ABORTED : ABORTED + " by " + by, by);
    }

    /**
     * Something wrong with what the caller gave.
     *
     * @param room the room
     * @param what what was found
     * @return the failure
     */
    public static RoomFailure wrongChunk(long room, String what) {
        return new RoomFailure(ErrorCode.INVALID_ARGUMENT, "Room " + Long.toUnsignedString(room) + ": " + what);
    }
}
