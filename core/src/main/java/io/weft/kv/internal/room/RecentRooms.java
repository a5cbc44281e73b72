package io.weft.kv.internal.room;

/**
 * Remembers which uses of rooms ended lately, in a fixed table of small sets: a late message of an ended use must not start a new
 * one, also when thousands end at once. Each set forgets its oldest. Nothing grows with the number of rooms. Safe from any thread.
 */
public final class RecentRooms {
    private static final int WAYS = 4;
    private static final int SET_BITS = 14;
    private static final int SLOTS = WAYS << SET_BITS;

    private final long[] rooms = new long[SLOTS];
    private final long[] generations = new long[SLOTS];

    /** Remembers nothing. */
    public RecentRooms() {}

    /**
     * Remembers a use that ended.
     *
     * @param room the room
     * @param generation the use; 0, which older peers send, is not remembered
     */
    public synchronized void add(long room, long generation) {
        if (generation == 0 || contains(room, generation)) {
            return;
        }
        int first = firstOfSet(room, generation);
        System.arraycopy(rooms, first, rooms, first + 1, WAYS - 1);
        System.arraycopy(generations, first, generations, first + 1, WAYS - 1);
        rooms[first] = room;
        generations[first] = generation;
    }

    /**
     * Whether a use ended lately.
     *
     * @param room the room
     * @param generation the use
     * @return false for generation 0 and for a use that a newer one pushed out
     */
    public synchronized boolean contains(long room, long generation) {
        int first = firstOfSet(room, generation);
        for (int slot = first; generation != 0 && slot < first + WAYS; slot++) {
            if (rooms[slot] == room && generations[slot] == generation) {
                return true;
            }
        }
        return false;
    }

    private static int firstOfSet(long room, long generation) {
        long mixed = (room ^ Long.rotateLeft(generation, 32)) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> (Long.SIZE - SET_BITS)) * WAYS;
    }
}
