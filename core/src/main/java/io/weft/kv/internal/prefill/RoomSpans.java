package io.weft.kv.internal.prefill;

import io.weft.api.Transfer;
import io.weft.telemetry.SpanSink;
import io.weft.telemetry.TransferSpan;
import java.time.Instant;

/** Makes spans of the transfers of traced rooms. Safe from any thread. */
final class RoomSpans {
    private static final System.Logger LOG = System.getLogger(RoomSpans.class.getName());

    private volatile SpanSink sink = SpanSink.NONE;

    void to(SpanSink next) {
        sink = next;
    }

    /** Costs two reads for a room that is not traced, or where nobody wants to know. */
    void ended(PrefillRoom room, Part part, Transfer transfer, long nanos) {
        SpanSink taker = sink;
        String traceparent = part.metadata().extras().traceparent();
        if (taker == SpanSink.NONE || traceparent.isEmpty()) {
            return;
        }
        try {
            taker.add(TransferSpan.of(
                    traceparent, room.id(), part.metadata().engineKey(), transfer, Instant.now(), nanos));
        } catch (RuntimeException refused) {
            // Whoever traces must not keep a room from its end.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "WEFT-SPAN a span of room " + Long.toUnsignedString(room.id()) + " is lost",
                    refused);
        }
    }
}
