package io.weft.backend.libfabric;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded queue of ints from one thread to one other, here of free slots. Never blocks, allocates nothing.
 *
 * <p>One producer and one consumer at a time; each role may move to another thread if that is ordered by the caller.
 */
final class IntRing {
    private final int[] values;
    private final int mask;
    private final AtomicInteger head = new AtomicInteger();
    private final AtomicInteger tail = new AtomicInteger();

    IntRing(int capacity) {
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        values = new int[size];
        mask = size - 1;
    }

    static IntRing filled(int count) {
        IntRing ring = new IntRing(count);
        for (int i = 0; i < count; i++) {
            ring.put(i);
        }
        return ring;
    }

    /** Adds; the owner never adds more than the capacity. */
    void put(int value) {
        int at = tail.getPlain();
        values[at & mask] = value;
        tail.setRelease(at + 1); // pairs with take's acquire: the value is written before it can be seen
    }

    /** Takes the oldest, -1 if empty. */
    int take() {
        int at = head.getPlain();
        if (at == tail.getAcquire()) {
            return -1;
        }
        int value = values[at & mask];
        head.setPlain(at + 1);
        return value;
    }

    /** The oldest, left in place; only if {@link #size} is positive. */
    int peek() {
        return values[head.getPlain() & mask];
    }

    /** How many can be taken; exact for the consumer, a lower bound while the producer adds. */
    int size() {
        return tail.getAcquire() - head.getPlain();
    }
}
