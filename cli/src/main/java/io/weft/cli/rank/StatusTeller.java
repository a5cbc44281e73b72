package io.weft.cli.rank;

import io.weft.kv.KvPoll;
import io.weft.kv.KvTransferException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Tells a room's status whenever it changed. Confined to the watch's thread. */
final class StatusTeller {
    private final Events events;
    private final long room;
    private final long began = System.nanoTime();
    private @Nullable KvPoll told;

    StatusTeller(Events events, long room) {
        this.events = events;
        this.room = room;
    }

    /** Tells a status with its reason, unless it was told already. */
    void tell(KvPoll status, long bytes, @Nullable KvTransferException failure) {
        if (status == told) {
            return;
        }
        told = status;
        ObjectNode event = Events.event("room");
        events.putRoom(event, room);
        event.put("status", status.wireName())
                .put("bytes", bytes)
                .put("micros", (System.nanoTime() - began) / 1_000)
                .put("code", status.number());
        if (failure == null) {
            event.putNull("reason").putNull("errorCode");
        } else {
            event.put("reason", failure.getMessage())
                    .put("errorCode", failure.code().name());
        }
        events.tell(event);
        if (status == KvPoll.SUCCESS) {
            ObjectNode metric = Events.event("metric");
            events.putRoom(metric, room);
            events.tell(metric.put("bytes", bytes));
        }
    }
}
