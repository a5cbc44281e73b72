package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A room ended, however. */
@Name("io.weft.Room")
@Label("Room")
@Description("A room ended")
@Category("Weft")
@StackTrace(false)
public final class RoomEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final RoomEvent PROBE = new RoomEvent();

    @Label("Prefill or decode")
    String role = "";

    @Label("Room")
    long room;

    @Label("State")
    String state = "";

    @Label("Why it failed, empty for a success")
    String reason = "";

    @Label("Bytes handed to the fabric")
    @DataAmount
    long bytes;

    private RoomEvent() {}

    /**
     * Whether anybody records these events.
     *
     * @return false costs a field read
     */
    public static boolean isRecorded() {
        return PROBE.isEnabled();
    }

    /**
     * Records one if anybody listens.
     *
     * @param role prefill or decode
     * @param room room
     * @param state state
     * @param reason why it failed, empty for a success
     * @param bytes bytes handed to the fabric
     */
    public static void ended(String role, long room, String state, String reason, long bytes) {
        if (!PROBE.isEnabled()) {
            return;
        }
        RoomEvent event = new RoomEvent();
        event.role = role;
        event.room = room;
        event.state = state;
        event.reason = reason;
        event.bytes = bytes;
        event.commit();
    }
}
