package io.weft.bootstrap;

import io.weft.bootstrap.RankEntry.Key;
import io.weft.spi.EngineClock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the registry knows and when it is ready, without HTTP. Safe from any thread.
 *
 * <p>The instance's shape is that of its last registration: a prefill instance that comes back with other sizes is described
 * rightly, and ranks of the old shape are forgotten. It is ready when each rank of that shape is registered, however often.
 */
final class Registry {
    /** A room entry is as large as two numbers; more rooms than these are not open anywhere. */
    private static final int MAX_ROOMS = 1_000_000;

    private static final int MAX_LOSSES = 20;

    private final RegistryStore store;
    private final EngineClock clock;
    private final long roomNanos;
    private final int maxFailures;
    private final Map<Key, Integer> failures = new HashMap<>();
    private @Nullable Topology topology;
    /** Latest first. */
    private final Deque<Lost> losses = new ArrayDeque<>();

    private record Lost(RankEntry entry, long atNanos, String why) {}

    Registry(RegistryStore store, EngineClock clock, long roomNanos, int maxFailures) {
        this.store = store;
        this.clock = clock;
        this.roomNanos = roomNanos;
        this.maxFailures = maxFailures;
        store.ranks().stream().findAny().ifPresent(any -> topology = any.topology());
    }

    synchronized void register(RankEntry entry) {
        Topology now = entry.topology();
        if (topology == null || !topology.sameShape(now)) {
            store.ranks().stream().filter(e -> !e.topology().sameShape(now)).forEach(e -> forget(e.key()));
        }
        topology = now;
        failures.remove(entry.key());
        store.put(entry);
    }

    /** Only the registrant itself may: another epoch means that somebody else is there now. */
    synchronized boolean deregister(Key key, long epoch) {
        boolean its = store.get(key).filter(e -> e.epoch() == epoch).isPresent();
        if (its) {
            forget(key);
        }
        return its;
    }

    /** Distinct registered ranks of the instance's shape. */
    synchronized long registered() {
        expire();
        Topology now = topology;
        return now == null
                ? 0
                : store.ranks().stream().filter(e -> e.key().isIn(now)).count();
    }

    synchronized Optional<Topology> topology() {
        return Optional.ofNullable(topology);
    }

    synchronized boolean isReady() {
        Topology now = topology;
        return now != null && registered() >= now.ranks();
    }

    synchronized Optional<RankEntry> find(Key key) {
        expire();
        return store.get(key);
    }

    synchronized Collection<RankEntry> ranks() {
        expire();
        return store.ranks();
    }

    synchronized void registerRoom(long room, int dpRank) {
        store.putRoom(room, dpRank, clock.nanos());
        store.forgetRooms(clock.nanos() - roomNanos, MAX_ROOMS);
    }

    /** Known rooms only. */
    synchronized Map<Long, Integer> rooms(List<Long> asked) {
        store.forgetRooms(clock.nanos() - roomNanos, MAX_ROOMS);
        Map<Long, Integer> known = new LinkedHashMap<>();
        asked.forEach(room -> store.room(room).ifPresent(dp -> known.put(room, dp)));
        return known;
    }

    synchronized int roomCount() {
        store.forgetRooms(clock.nanos() - roomNanos, MAX_ROOMS);
        return store.rooms();
    }

    /** Takes what a connection check of a rank without heartbeat found; forgets the rank after enough failures in a row. */
    synchronized void checked(RankEntry entry, boolean reachable) {
        if (!store.get(entry.key()).equals(Optional.of(entry))) {
            return; // Somebody else registered there meanwhile.
        }
        if (reachable) {
            failures.remove(entry.key());
        } else if (failures.merge(entry.key(), 1, Integer::sum) >= maxFailures) {
            lose(entry, maxFailures + " dials in a row were refused");
        }
    }

    synchronized List<RegistryView.Loss> losses() {
        long now = clock.nanos();
        return losses.stream()
                .map(lost -> new RegistryView.Loss(lost.entry, now - lost.atNanos, lost.why))
                .toList();
    }

    private void lose(RankEntry entry, String why) {
        forget(entry.key());
        losses.addFirst(new Lost(entry, clock.nanos(), why));
        if (losses.size() > MAX_LOSSES) {
            losses.removeLast();
        }
    }

    private void expire() {
        long now = clock.nanos();
        store.ranks().stream()
                .filter(e -> e.isExpired(now))
                .toList()
                .forEach(e -> lose(e, "it sent no heartbeat for " + (now - e.heardNanos()) / 1_000_000 + " ms"));
    }

    private void forget(Key key) {
        store.remove(key);
        failures.remove(key);
    }
}
