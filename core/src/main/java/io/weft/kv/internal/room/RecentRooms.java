package io.weft.kv.internal.room;

/**
 * Remembers which uses of rooms ended lately, in a fixed ring: a late message of an ended use must not start a new one. Nothing
 * grows with the number of rooms. Safe from any thread.
 */
public final class RecentRooms {
    private static final int SLOTS = 1 << 13;

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
        if (generation != 0) {
            int slot = slot(room, generation);
            rooms[slot] = room;
            generations[slot] = generation;
        }
    }

    /**
     * Whether a use ended lately.
     *
     * @param room the room
     * @param generation the use
     * @return false for generation 0 and for a use that a newer one pushed out
     */
    public synchronized boolean contains(long room, long generation) {
        int slot = slot(room, generation);
        return generation != 0 && rooms[slot] == room && generations[slot] == generation;
    }

    private static int slot(long room, long generation) {
        long mixed = (room ^ Long.rotateLeft(generation, 32)) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> (Long.SIZE - 13));
    }
}
