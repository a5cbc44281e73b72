package io.weft.kv.internal.room;

import io.weft.api.ErrorCode;
import io.weft.telemetry.FailureLog;

/** Tells of a rank's failed rooms: one limit for the process, since a log has one too. Safe from any thread. */
public final class RoomFailures {
    private static final FailureLog LOG =
            new FailureLog(System.getLogger(RoomFailures.class.getName()), "WEFT-ROOM-FAILED", System::nanoTime);

    private final String engine;
    private final String role;

    /**
     * For one rank.
     *
     * @param engine key of its engine
     * @param role prefill or decode
     */
    public RoomFailures(String engine, String role) {
        this.engine = engine;
        this.role = role;
    }

    /**
     * A room failed.
     *
     * @param room its id
     * @param peers with whom, in words
     * @param reason why
     */
    public void add(long room, String peers, RoomFailure reason) {
        long untold = reason.code() == ErrorCode.CLOSED ? -1 : LOG.count(reason.code());
        if (untold >= 0) {
            LOG.tell(
                    untold,
                    "engine " + engine + ", " + role + " room " + Long.toUnsignedString(room) + " with " + peers + ", "
                            + reason.text());
        }
    }
}
