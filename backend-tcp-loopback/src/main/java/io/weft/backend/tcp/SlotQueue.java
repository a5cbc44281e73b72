package io.weft.backend.tcp;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A ring of slots with one producer and one consumer at a time. Never full: a slot is in a queue at most once, and the ring has
 * a place for each.
 */
final class SlotQueue {
    private final @Nullable Slot[] ring;
    private final int mask;
    private final AtomicInteger tail = new AtomicInteger();
    private int head;

    SlotQueue(int slots) {
        ring = new Slot[Integer.highestOneBit(Math.max(2, slots * 2 - 1))];
        mask = ring.length - 1;
    }

    void push(Slot slot) {
        int at = tail.getPlain();
        ring[at & mask] = slot;
        tail.setRelease(at + 1);
    }

    @Nullable
    Slot poll() {
        if (head == tail.getAcquire()) {
            return null;
        }
        Slot slot = ring[head & mask];
        ring[head & mask] = null;
        head++;
        return slot;
    }
}
