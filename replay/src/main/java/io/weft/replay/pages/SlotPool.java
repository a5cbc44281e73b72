package io.weft.replay.pages;

import java.util.ArrayDeque;
import java.util.Optional;

/** Slots of a fixed pool: aux rows, state slots. Safe from any thread. */
public final class SlotPool {
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /**
     * Makes a pool whose slots are all free.
     *
     * @param slots how many, numbered from 0
     */
    public SlotPool(int slots) {
        for (int i = 0; i < slots; i++) {
            free.add(i);
        }
    }

    /**
     * Takes some slots.
     *
     * @param count how many
     * @return the slots, empty if there are not enough
     */
    public synchronized Optional<int[]> tryTake(int count) {
        if (free.size() < count) {
            return Optional.empty();
        }
        int[] taken = new int[count];
        for (int i = 0; i < count; i++) {
            taken[i] = free.remove();
        }
        return Optional.of(taken);
    }

    /**
     * Gives slots back.
     *
     * @param slots what {@link #tryTake} gave
     */
    public synchronized void give(int[] slots) {
        for (int slot : slots) {
            free.add(slot);
        }
    }
}
