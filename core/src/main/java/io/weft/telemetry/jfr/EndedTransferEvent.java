package io.weft.telemetry.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Timespan;

/** What is told of a transfer that ended, however. */
abstract class EndedTransferEvent extends Event {
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
}
