package io.weft.kv.internal.decode;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.LeaseState;
import io.weft.kv.internal.memory.PageLedger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The rooms of a decode rank: live ones by id, and cleared ones whose memory is not released. Safe from any thread. */
final class DecodeRooms {
    private final DecodeRoom.Limits limits;
    private final PageLedger ledger;
    private final LongSupplier nanoClock;
    private final Map<Long, DecodeRoom> live = new ConcurrentHashMap<>();
    private final Map<DecodeRoom, Boolean> draining = new ConcurrentHashMap<>();

    DecodeRooms(DecodeRoom.Limits limits, PageLedger ledger, LongSupplier nanoClock) {
        this.limits = limits;
        this.ledger = ledger;
        this.nanoClock = nanoClock;
    }

    /**
     * A new room.
     *
     * @throws WeftException INVALID_ARGUMENT if the room is in use; RESOURCE_EXHAUSTED if an older peer may still speak of its
     *     last use, which could not be told from this one
     */
    DecodeRoom open(String registry, long id) {
        for (DecodeRoom old : draining.keySet()) {
            if (old.id() == id && old.lease().state() == LeaseState.QUARANTINED) {
                throw new WeftException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "room " + Long.toUnsignedString(id) + " is quarantined after its last use; wait for that lease "
                                + "or use another room id");
            }
        }
        DecodeRoom room = new DecodeRoom(id, generation(), registry, limits, ledger, nanoClock.getAsLong());
        DecodeRoom existing = live.putIfAbsent(id, room);
        if (existing != null) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "room " + Long.toUnsignedString(id) + " has a receiver already, in "
                            + existing.status().wireName() + "; clear it first or use another room id");
        }
        return room;
    }

    /** The use of a room that a message means. */
    @Nullable
    DecodeRoom find(long id, long generation) {
        DecodeRoom room = live.get(id);
        if (room != null && room.isMeantBy(generation)) {
            return room;
        }
        return draining.keySet().stream()
                .filter(old -> old.id() == id && old.isMeantBy(generation))
                .findFirst()
                .orElse(null);
    }

    Collection<DecodeRoom> live() {
        return live.values();
    }

    /** Rooms with a deadline: live ones, and those that drain. */
    List<DecodeRoom> all() {
        List<DecodeRoom> rooms = new ArrayList<>(live.values());
        rooms.addAll(draining.keySet());
        return rooms;
    }

    void clear(DecodeRoom room) {
        if (isHolding(room)) {
            draining.put(room, true);
        }
        live.remove(room.id(), room);
        released(room);
    }

    /** Forgets a cleared room whose memory was released. */
    void released(DecodeRoom room) {
        if (!isHolding(room)) {
            draining.remove(room);
        }
    }

    int size() {
        return live.size();
    }

    int drainingCount() {
        return draining.size();
    }

    Map<LeaseState, Integer> unreleased() {
        Map<LeaseState, Integer> counts = new EnumMap<>(LeaseState.class);
        for (DecodeRoom room : all()) {
            if (isHolding(room)) {
                counts.merge(room.lease().state(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static boolean isHolding(DecodeRoom room) {
        return room.wanted() != null && !room.lease().state().isReleased();
    }

    private static long generation() {
        long random = ThreadLocalRandom.current().nextLong();
        return random == 0 ? 1 : random;
    }
}
