package io.weft.bootstrap;

import io.weft.bootstrap.RankEntry.Key;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a registry keeps what it knows. Implemented by embedders that want it elsewhere than in memory. Threading: the registry
 * calls it from one thread at a time. Blocking: allowed, within what a request may take.
 *
 * @since 0.1
 */
public interface RegistryStore {
    /**
     * Adds or replaces the rank of the same key.
     *
     * @param entry the rank
     */
    void put(RankEntry entry);

    /**
     * Looks a rank up.
     *
     * @param key which
     * @return the rank, empty if unknown
     */
    Optional<RankEntry> get(Key key);

    /**
     * Lists all ranks.
     *
     * @return a copy
     */
    Collection<RankEntry> ranks();

    /**
     * Removes a rank.
     *
     * @param key which
     */
    void remove(Key key);

    /**
     * Notes which DP rank serves a room, anew if it is known.
     *
     * @param room unsigned 64-bit room
     * @param dpRank the DP rank
     * @param nowNanos when, by the registry's clock
     */
    void putRoom(long room, int dpRank, long nowNanos);

    /**
     * Looks a room up.
     *
     * @param room unsigned 64-bit room
     * @return the DP rank, empty if unknown
     */
    OptionalInt room(long room);

    /**
     * Counts rooms.
     *
     * @return how many are known
     */
    int rooms();

    /**
     * Forgets rooms.
     *
     * @param olderThanNanos those noted before this value of the registry's clock
     * @param keep at most so many of the newest stay
     */
    void forgetRooms(long olderThanNanos, int keep);
}
