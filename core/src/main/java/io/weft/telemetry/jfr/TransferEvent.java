package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A transfer ended, however. */
@Name("io.weft.Transfer")
@Label("Transfer")
@Description("A transfer ended")
@Category("Weft")
@StackTrace(false)
public final class TransferEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final TransferEvent PROBE = new TransferEvent();

    @Label("Engine")
    String engine = "";

    @Label("Peer")
    String peer = "";

    @Label("Transfer id")
    long transferId;

    @Label("Direction")
    String direction = "";

    @Label("State")
    String state = "";

    @Label("Error code, empty for a success")
    String code = "";

    @Label("Backend")
    String backend = "";

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Segments after coalescing")
    int segments;

    @Label("Operations posted")
    int operations;

    @Label("Replays over a rebuilt link")
    int replays;

    @Label("Time before the first post")
    @Timespan(Timespan.NANOSECONDS)
    long queueTime;

    @Label("Time from the first post to the end")
    @Timespan(Timespan.NANOSECONDS)
    long wireTime;

    private TransferEvent() {}

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
     * @param engine engine
     * @param peer peer
     * @param transferId transfer id
     * @param direction direction
     * @param state state
     * @param code error code, empty for a success
     * @param backend backend
     * @param bytes bytes
     * @param segments segments after coalescing
     * @param operations operations posted
     * @param replays replays over a rebuilt link
     * @param queueTime time before the first post
     * @param wireTime time from the first post to the end
     */
    public static void ended(
            String engine,
            String peer,
            long transferId,
            String direction,
            String state,
            String code,
            String backend,
            long bytes,
            int segments,
            int operations,
            int replays,
            long queueTime,
            long wireTime) {
        if (!PROBE.isEnabled()) {
            return;
        }
        TransferEvent event = new TransferEvent();
        event.engine = engine;
        event.peer = peer;
        event.transferId = transferId;
        event.direction = direction;
        event.state = state;
        event.code = code;
        event.backend = backend;
        event.bytes = bytes;
        event.segments = segments;
        event.operations = operations;
        event.replays = replays;
        event.queueTime = queueTime;
        event.wireTime = wireTime;
        event.commit();
    }
}
