package io.weft.replay.rank;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Ends of rooms at one rank, each told once, whether it is asked for before or after. Safe from any thread. */
final class Rooms {
    private final Map<Long, CompletableFuture<RoomEnd>> ends = new ConcurrentHashMap<>();

    CompletableFuture<RoomEnd> end(long room) {
        return ends.computeIfAbsent(room, r -> new CompletableFuture<>());
    }

    void forget(long room) {
        ends.remove(room);
    }

    void failAll(String reason) {
        ends.values().forEach(end -> end.complete(RoomEnd.failed(reason)));
    }
}
