package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/**
 * A transfer succeeded: of many in a second a sample, since writing each down costs more than 2 % of the rate of small ones. What ended otherwise
 * is a {@link TransferFailedEvent}.
 */
@Name("io.weft.Transfer")
@Label("Transfer")
@Description("A transfer succeeded; at most 1000 a second are recorded unless the setting throttle says otherwise")
@Category("Weft")
@StackTrace(false)
@Throttle("1000/s")
public final class TransferEvent extends EndedTransferEvent {
    /** Asked whether anybody records; never committed. */
    private static final TransferEvent PROBE = new TransferEvent();

    private static final TransferFailedEvent FAILED_PROBE = new TransferFailedEvent();

    private TransferEvent() {}

    /**
     * Whether anybody records such an event.
     *
     * @param succeeded whether the transfer did
     * @return false costs a field read
     */
    public static boolean isRecorded(boolean succeeded) {
        return succeeded ? PROBE.isEnabled() : FAILED_PROBE.isEnabled();
    }

    /**
     * Records one if anybody listens, and if it did not succeed or its turn has come.
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
        EndedTransferEvent event = state.equals("SUCCEEDED") ? new TransferEvent() : new TransferFailedEvent();
        if (!event.shouldCommit()) {
            return;
        }
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
