package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A link to a peer changed its state. */
@Name("io.weft.Link")
@Label("Link state")
@Description("A link to a peer changed its state")
@Category("Weft")
@StackTrace(false)
public final class LinkEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final LinkEvent PROBE = new LinkEvent();

    @Label("Engine")
    String engine = "";

    @Label("Peer")
    String peer = "";

    @Label("Backend")
    String backend = "";

    @Label("New state")
    String state = "";

    @Label("Why, empty for a planned change")
    String cause = "";

    private LinkEvent() {}

    /**
     * Records one if anybody listens.
     *
     * @param engine engine
     * @param peer peer
     * @param backend backend
     * @param state new state
     * @param cause why, empty for a planned change
     */
    public static void changed(String engine, String peer, String backend, String state, String cause) {
        if (!PROBE.isEnabled()) {
            return;
        }
        LinkEvent event = new LinkEvent();
        event.engine = engine;
        event.peer = peer;
        event.backend = backend;
        event.state = state;
        event.cause = cause;
        event.commit();
    }
}
