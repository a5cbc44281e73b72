package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A fence is over. */
@Name("io.weft.Fence")
@Label("Fence")
@Description("What a peer or a link posted was made harmless, or could not be")
@Category("Weft")
@StackTrace(false)
public final class FenceEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final FenceEvent PROBE = new FenceEvent();

    @Label("Engine")
    String engine = "";

    @Label("Peer")
    String peer = "";

    @Label("Backend")
    String backend = "";

    @Label("Initiator or target")
    String side = "";

    @Label("Whether nothing can arrive any more")
    boolean quiet;

    @Label("Time it took")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    private FenceEvent() {}

    /**
     * Records one if anybody listens.
     *
     * @param engine engine
     * @param peer peer
     * @param backend backend
     * @param side initiator or target
     * @param quiet whether nothing can arrive any more
     * @param took time it took
     */
    public static void done(String engine, String peer, String backend, String side, boolean quiet, long took) {
        if (!PROBE.isEnabled()) {
            return;
        }
        FenceEvent event = new FenceEvent();
        event.engine = engine;
        event.peer = peer;
        event.backend = backend;
        event.side = side;
        event.quiet = quiet;
        event.took = took;
        event.commit();
    }
}
