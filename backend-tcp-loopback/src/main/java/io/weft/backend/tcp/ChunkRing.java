package io.weft.backend.tcp;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one lane that were sent and not yet answered, in order; a chunk's sequence number is its place. One producer
 * (whoever drives the lane) and one consumer (the reactor).
 */
final class ChunkRing {
    private final @Nullable Slot[] slots;
    private final int[] indexes;
    private final long[] withins;
    private final int[] bytes;
    private final int mask;
    private final AtomicInteger tail = new AtomicInteger();
    private final AtomicInteger head = new AtomicInteger();

    ChunkRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is not a power of two");
        }
        slots = new Slot[capacity];
        indexes = new int[capacity];
        withins = new long[capacity];
        bytes = new int[capacity];
        mask = capacity - 1;
    }

    /** Producer: whether there is no place. */
    boolean isFull() {
        return tail.getPlain() - head.get() > mask;
    }

    /** Unanswered chunks; any thread. */
    int size() {
        return tail.get() - head.get();
    }

    /** Producer: the sequence number of the next chunk. */
    int nextSequence() {
        return tail.getPlain();
    }

    /** Producer: enters a chunk before its first byte is sent. A null slot asks for an acknowledgement only. */
    void push(@Nullable Slot slot, int index, long within, int length) {
        int at = tail.getPlain();
        slots[at & mask] = slot;
        indexes[at & mask] = index;
        withins[at & mask] = within;
        bytes[at & mask] = length;
        tail.setRelease(at + 1);
    }

    /** Consumer: whether a sequence number is that of an unanswered chunk. */
    boolean holds(int sequence) {
        int first = head.getPlain();
        return sequence - first >= 0 && sequence - tail.getAcquire() < 0;
    }

    /** Consumer: sequence number of the oldest unanswered chunk. */
    int first() {
        return head.getPlain();
    }

    /** Consumer: the slot of an unanswered chunk. */
    @Nullable
    Slot slot(int sequence) {
        return slots[sequence & mask];
    }

    int index(int sequence) {
        return indexes[sequence & mask];
    }

    long within(int sequence) {
        return withins[sequence & mask];
    }

    int bytes(int sequence) {
        return bytes[sequence & mask];
    }

    /** Consumer: the oldest chunk is answered. */
    void pop() {
        int at = head.getPlain();
        slots[at & mask] = null;
        head.set(at + 1); // full order with the driver's note that it found the ring full
    }
}
