package io.weft.telemetry;

import io.weft.api.Receipt;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A transfer that ended, as a span of the trace that its room's request belongs to. Immutable.
 *
 * @param traceparent the W3C trace context that came with the room, well-formed
 * @param start when the transfer was submitted
 * @param end when it ended
 * @param failure code and text, empty if it succeeded
 * @param attributes who, what, and the receipt, by OpenTelemetry attribute name; each a String or a Long
 * @since 0.1
 */
public record TransferSpan(
        String traceparent, Instant start, Instant end, String failure, Map<String, Object> attributes) {
    /** Name of the span. */
    public static final String NAME = "weft.transfer";

    /** Copies the attributes. */
    public TransferSpan {
        attributes = Map.copyOf(attributes);
    }

    /**
     * Describes a transfer.
     *
     * @param traceparent the trace context, well-formed
     * @param room its room, unsigned
     * @param peer engine key of the decode rank
     * @param transfer the transfer, ended
     * @param end when it ended
     * @param nanos for how long it was under way, its queue included
     * @return the span
     */
    public static TransferSpan of(
            String traceparent, long room, String peer, Transfer transfer, Instant end, long nanos) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("weft.room", Long.toUnsignedString(room));
        attributes.put("weft.peer", peer);
        attributes.put("weft.transfer", Long.toUnsignedString(transfer.id()));
        attributes.put("weft.state", transfer.state().name());
        transfer.code().ifPresent(code -> attributes.put("weft.code", code.name()));
        transfer.receipt().ifPresent(receipt -> add(attributes, receipt));
        boolean succeeded = transfer.state() == TransferState.SUCCEEDED;
        return new TransferSpan(
                traceparent, end.minus(Duration.ofNanos(nanos)), end, succeeded ? "" : transfer.text(), attributes);
    }

    private static void add(Map<String, Object> attributes, Receipt receipt) {
        attributes.put("weft.backend", receipt.backend());
        attributes.put("weft.devices", String.join(",", receipt.devices()));
        attributes.put("weft.lanes", (long) receipt.lanes());
        attributes.put("weft.bytes", receipt.bytes());
        attributes.put("weft.segments", (long) receipt.segments());
        attributes.put("weft.segments.coalesced", (long) receipt.segmentsAfterCoalescing());
        attributes.put("weft.operations", (long) receipt.operations());
        attributes.put("weft.staging.copies", (long) receipt.stagingCopies());
        attributes.put("weft.retries", (long) receipt.retries());
        attributes.put("weft.replays", (long) receipt.replays());
        attributes.put("weft.queue.ns", receipt.queueNanos());
        attributes.put("weft.wire.ns", receipt.wireNanos());
        attributes.put("weft.remote.quiescence", receipt.remote().name());
    }
}
