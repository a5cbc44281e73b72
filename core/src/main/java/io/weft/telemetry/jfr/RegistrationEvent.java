package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Memory was registered or deregistered. */
@Name("io.weft.Registration")
@Label("Registration")
@Description("Memory was registered or deregistered")
@Category("Weft")
@StackTrace(false)
public final class RegistrationEvent extends Event {
    /** Asked whether anybody records; never committed. */
    private static final RegistrationEvent PROBE = new RegistrationEvent();

    @Label("Engine")
    String engine = "";

    @Label("What was done")
    String action = "";

    @Label("Region id")
    int region;

    @Label("Memory location")
    String memory = "";

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Time it took")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    private RegistrationEvent() {}

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
     * @param action what was done
     * @param region region id
     * @param memory memory location
     * @param bytes bytes
     * @param took time it took
     */
    public static void done(String engine, String action, int region, String memory, long bytes, long took) {
        if (!PROBE.isEnabled()) {
            return;
        }
        RegistrationEvent event = new RegistrationEvent();
        event.engine = engine;
        event.action = action;
        event.region = region;
        event.memory = memory;
        event.bytes = bytes;
        event.took = took;
        event.commit();
    }
}
