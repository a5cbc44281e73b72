package io.weft.backend.rdma;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free operation slots: the poster takes them, the poller gives them back. Never blocks, allocates nothing. One thread in each role
 * at a time.
 */
final class FreeSlots {
    private final int[] values;
    private final int mask;
    private final AtomicInteger tail = new AtomicInteger();
    private int head;
    private int kept = -1;

    FreeSlots(int count) {
        int size = Integer.highestOneBit(Math.max(1, count - 1)) << 1;
        values = new int[size];
        mask = size - 1;
        for (int i = 0; i < count; i++) {
            put(i);
        }
    }

    void put(int slot) {
        int at = tail.getPlain();
        values[at & mask] = slot;
        tail.setRelease(at + 1); // pairs with the acquire in take
    }

    /** The next slot, -1 if there is none. */
    int take() {
        if (kept >= 0) {
            int slot = kept;
            kept = -1;
            return slot;
        }
        if (head == tail.getAcquire()) {
            return -1;
        }
        return values[head++ & mask];
    }

    /** Gives a slot back to the poster itself. */
    void keep(int slot) {
        kept = slot;
    }
}
