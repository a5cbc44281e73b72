package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Transfers to a peer make no progress. */
@Name("io.weft.Stall")
@Label("Stall")
@Description("Transfers to a peer make no progress")
@Category("Weft")
@StackTrace(false)
public final class StallEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final StallEvent PROBE = new StallEvent();

    @Label("Engine")
    String engine = "";

    @Label("Peer")
    String peer = "";

    @Label("Transfers that newly stall")
    int transfers;

    @Label("Time without progress of the oldest")
    @Timespan(Timespan.NANOSECONDS)
    long oldest;

    @Label("What the oldest waits for")
    String waitsFor = "";

    private StallEvent() {}

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
     * @param transfers transfers that newly stall
     * @param oldest time without progress of the oldest
     * @param waitsFor what the oldest waits for
     */
    public static void found(String engine, String peer, int transfers, long oldest, String waitsFor) {
        if (!PROBE.isEnabled()) {
            return;
        }
        StallEvent event = new StallEvent();
        event.engine = engine;
        event.peer = peer;
        event.transfers = transfers;
        event.oldest = oldest;
        event.waitsFor = waitsFor;
        event.commit();
    }
}
