package io.weft.engine.internal.backend;

import io.weft.engine.internal.concurrent.Turn;
import io.weft.spi.CompletionSink;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * All operations of one backend by token, and where it reports completions. Tokens that name no posted operation are counted
 * and dropped. Safe from any thread.
 */
public final class SlotTable implements CompletionSink {
    private final LongAdder stale = new LongAdder();
    private volatile @Nullable Slot[] slots = new Slot[64];
    private int used;

    /** Makes an empty table. */
    public SlotTable() {}

    /**
     * Adds a slot. Slots are never removed, their owners recycle them.
     *
     * @param factory makes the slot for an index
     * @param <S> the slot's type
     * @return the slot
     */
    public synchronized <S extends Slot> S add(IntFunction<S> factory) {
        @Nullable Slot[] now = slots;
        if (used == now.length) {
            now = Arrays.copyOf(now, used * 2);
        }
        S slot = factory.apply(used);
        now[used++] = slot;
        slots = now; // publishes the element too
        return slot;
    }

    /**
     * Completions that named no posted operation.
     *
     * @return a count
     */
    public long stale() {
        return stale.sum();
    }

    @Override
    public void complete(long token, int code, long nativeCode) {
        Slot slot = take(token, code, nativeCode);
        if (slot != null) {
            slot.turn().send(slot);
        }
    }

    @Override
    public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
        Turn last = null;
        for (int i = 0; i < count; i++) {
            Slot slot = take(tokens[i], codes[i], nativeCodes[i]);
            if (slot == null) {
                continue;
            }
            Turn turn = slot.turn();
            turn.leave(slot);
            if (last != null && last != turn) {
                last.signal();
            }
            last = turn;
        }
        if (last != null) {
            last.signal();
        }
    }

    private @Nullable Slot take(long token, int code, long nativeCode) {
        @Nullable Slot[] now = slots;
        int index = (int) token;
        Slot slot = index >= 0 && index < now.length ? now[index] : null;
        if (slot == null || !slot.complete((int) (token >>> Integer.SIZE), code, nativeCode)) {
            stale.increment();
            return null;
        }
        return slot;
    }
}
