package io.weft.bootstrap;

import io.weft.bootstrap.RankEntry.Key;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Keeps everything in memory. Confined by the registry. */
final class MemoryStore implements RegistryStore {
    private record Room(int dpRank, long notedNanos) {}

    private final Map<Key, RankEntry> ranks = new HashMap<>();
    /** Oldest first. */
    private final Map<Long, Room> rooms = new LinkedHashMap<>();

    @Override
    public void put(RankEntry entry) {
        ranks.put(entry.key(), entry);
    }

    @Override
    public Optional<RankEntry> get(Key key) {
        return Optional.ofNullable(ranks.get(key));
    }

    @Override
    public Collection<RankEntry> ranks() {
        return List.copyOf(ranks.values());
    }

    @Override
    public void remove(Key key) {
        ranks.remove(key);
    }

    @Override
    public void putRoom(long room, int dpRank, long nowNanos) {
        rooms.remove(room);
        rooms.put(room, new Room(dpRank, nowNanos));
    }

    @Override
    public OptionalInt room(long room) {
        Room found = rooms.get(room);
        return found == null ? OptionalInt.empty() : OptionalInt.of(found.dpRank);
    }

    @Override
    public int rooms() {
        return rooms.size();
    }

    @Override
    public void forgetRooms(long olderThanNanos, int keep) {
        Iterator<Room> oldestFirst = rooms.values().iterator();
        while (oldestFirst.hasNext() && (oldestFirst.next().notedNanos - olderThanNanos < 0 || rooms.size() > keep)) {
            oldestFirst.remove();
        }
    }
}
