package io.weft.kv.internal.prefill;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.internal.prefill.PrefillRoom.RoomLimits;
import io.weft.kv.internal.room.RecentRooms;
import io.weft.kv.internal.room.RoomFailure;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of a prefill rank: live ones by id, cleared ones that still drain, and senders that failed before their decode rank
 * was heard. Safe from any thread.
 */
final class PrefillRooms {
    private static final int MAX_UNHEARD = 1 << 14;

    private final RoomLimits limits;
    private final int maxPending;
    private final Supplier<ChunkLedger> ledgers;
    private final boolean idleCpRank;
    private final LongSupplier nanoClock;
    private final Map<Long, PrefillRoom> live = new ConcurrentHashMap<>();
    private final Map<PrefillRoom, Boolean> draining = new ConcurrentHashMap<>();
    private final Map<Long, Unheard> unheard = new LinkedHashMap<>();
    private final RecentRooms recent = new RecentRooms();

    /** A room that failed here before all its decode ranks spoke; each gets the reason when it does. */
    private record Unheard(int remaining, RoomFailure reason, long since) {}

    PrefillRooms(
            RoomLimits limits,
            int maxPending,
            Supplier<ChunkLedger> ledgers,
            boolean idleCpRank,
            LongSupplier nanoClock) {
        this.limits = limits;
        this.maxPending = maxPending;
        this.ledgers = ledgers;
        this.idleCpRank = idleCpRank;
        this.nanoClock = nanoClock;
    }

    /**
     * The room for a new sender: the one that metadata opened, or a new one.
     *
     * @throws WeftException INVALID_ARGUMENT if the room has a sender
     */
    PrefillRoom open(long id) {
        synchronized (unheard) {
            unheard.remove(id);
        }
        PrefillRoom room = live.computeIfAbsent(id, this::created);
        synchronized (room) {
            if (room.hasSender()) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "room " + Long.toUnsignedString(id) + " has a sender already, in "
                                + room.status().wireName() + "; clear it first or use another room id");
            }
            room.attachSender(nanoClock.getAsLong());
        }
        return room;
    }

    /** The room for metadata, null if there are too many without a sender. */
    @Nullable
    PrefillRoom forMetadata(long id, String engineKey, long generation) {
        PrefillRoom room = live.get(id);
        if (room != null && isForgottenAbort(room, engineKey, generation)) {
            live.remove(id, room);
            room = null;
        }
        return room != null || mayAnnounce() ? live.computeIfAbsent(id, this::created) : null;
    }

    /** The room for an abort that came before anything else. */
    @Nullable
    PrefillRoom forAbort(long id) {
        return mayAnnounce() ? live.computeIfAbsent(id, this::created) : null;
    }

    @Nullable
    PrefillRoom live(long id) {
        return live.get(id);
    }

    Collection<PrefillRoom> live() {
        return live.values();
    }

    Collection<PrefillRoom> draining() {
        return draining.keySet();
    }

    List<PrefillRoom> draining(long id) {
        return draining.keySet().stream().filter(room -> room.id() == id).toList();
    }

    /** Takes a room out of the table; it stays known until it is drained. */
    void clear(PrefillRoom room) {
        room.generations().forEach(generation -> recent.add(room.id(), generation));
        if (!room.isDrained()) {
            draining.put(room, true);
        }
        live.remove(room.id(), room);
        drained(room);
    }

    void drained(PrefillRoom room) {
        if (room.isDrained()) {
            draining.remove(room);
        }
    }

    /** Remembers a failed room whose decode ranks were not all heard. */
    void failed(PrefillRoom room) {
        RoomFailure reason = room.failure();
        int missing = room.unheard();
        if (reason != null && missing > 0) {
            synchronized (unheard) {
                if (unheard.size() < MAX_UNHEARD) {
                    unheard.put(room.id(), new Unheard(missing, reason, nanoClock.getAsLong()));
                }
            }
        }
    }

    /** Whether metadata comes too late for its room; then why the room failed. */
    @Nullable
    RoomFailure lateFor(long id, long generation, int requiredPeers) {
        synchronized (unheard) {
            Unheard late = unheard.remove(id);
            if (late != null) {
                int remaining = Math.max(late.remaining(), requiredPeers) - 1;
                if (remaining > 0) {
                    unheard.put(id, new Unheard(remaining, late.reason(), late.since()));
                }
                recent.add(id, generation);
                return late.reason();
            }
        }
        return recent.contains(id, generation)
                ? new RoomFailure(
                        ErrorCode.CANCELLED, "Room " + Long.toUnsignedString(id) + " has ended at this prefill rank")
                : null;
    }

    /** A decode rank gave this use up, so that whatever it still says of it comes too late. */
    void gaveUp(long id, long generation) {
        recent.add(id, generation);
    }

    boolean endedLately(long id, long generation) {
        return recent.contains(id, generation);
    }

    /** Forgets what waited too long. */
    void expire() {
        long now = nanoClock.getAsLong();
        synchronized (unheard) {
            unheard.values().removeIf(late -> now - late.since() >= limits.bootstrapNanos());
        }
        live.values()
                .removeIf(room ->
                        !room.hasSender() && room.isDrained() && room.isOlderThan(limits.bootstrapNanos(), now));
    }

    int size() {
        return live.size();
    }

    int pending() {
        return (int) live.values().stream().filter(room -> !room.hasSender()).count();
    }

    int drainingCount() {
        return draining.size();
    }

    int unheardCount() {
        synchronized (unheard) {
            return unheard.size();
        }
    }

    /** Counts only where the number of all rooms does not answer already. */
    private boolean mayAnnounce() {
        return live.size() < maxPending || pending() < maxPending;
    }

    private static boolean isForgottenAbort(PrefillRoom room, String engineKey, long generation) {
        return !room.hasSender() && room.isDrained() && !room.concerns(engineKey, generation);
    }

    private PrefillRoom created(long id) {
        return new PrefillRoom(id, limits, ledgers.get(), idleCpRank, nanoClock.getAsLong());
    }
}
