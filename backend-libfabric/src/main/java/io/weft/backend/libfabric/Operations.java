package io.weft.backend.libfabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The book of a link's accepted operations and the provider's operations they were cut into. Contexts live off-heap, since a provider
 * may write into them until the completion: the first {@code window} belong to data, one more per operation to its flush.
 *
 * <p>Two threads use it: the poster takes slots, the poller gives them back. What one writes before the native call the other reads
 * after the completion that follows from it.
 */
final class Operations {
    /** {@code struct fi_context2}. */
    private static final long CONTEXT_BYTES = 64;

    private final int window;
    private final long contexts;
    private final IntRing freeSlots;
    private final IntRing freeOps;
    private final int[] opOfSlot;
    private final long[] token;
    private final int[] remaining;
    private final int[] code;
    private final long[] nativeCode;
    private final boolean[] live;
    private final boolean[] flushes;
    /** A slot taken for an attempt that the provider refused; the poster's. */
    private int spareSlot = -1;

    Operations(Arena arena, int window, int ops) {
        this.window = window;
        MemorySegment memory = arena.allocate(CONTEXT_BYTES * (window + ops), CONTEXT_BYTES);
        contexts = memory.address();
        freeSlots = IntRing.filled(window);
        freeOps = IntRing.filled(ops);
        opOfSlot = new int[window];
        token = new long[ops];
        remaining = new int[ops];
        code = new int[ops];
        nativeCode = new long[ops];
        live = new boolean[ops];
        flushes = new boolean[ops];
    }

    /** Begins an operation of so many parts; -1 if there are as many as allowed. Poster. */
    int begin(long operationToken, int parts, boolean flush) {
        int op = freeOps.take();
        if (op >= 0) {
            token[op] = operationToken;
            remaining[op] = parts;
            code[op] = 0;
            nativeCode[op] = 0;
            flushes[op] = flush;
            live[op] = true;
        }
        return op;
    }

    boolean canBegin() {
        return freeOps.size() > 0;
    }

    /** Takes a slot for a part; -1 if the window is full. Poster. */
    int takeSlot(int op) {
        int slot = spareSlot >= 0 ? spareSlot : freeSlots.take();
        spareSlot = -1;
        if (slot >= 0) {
            opOfSlot[slot] = op;
        }
        return slot;
    }

    /** Keeps a slot whose part was refused for the next attempt. Poster. */
    void keepSlot(int slot) {
        spareSlot = slot;
    }

    long context(int slot) {
        return contexts + slot * CONTEXT_BYTES;
    }

    long flushContext(int op) {
        return context(window + op);
    }

    /** The slot of a context, -1 if it is none of ours. */
    int slotOf(long context) {
        long offset = context - contexts;
        return offset < 0 || offset >= CONTEXT_BYTES * (window + token.length) ? -1 : (int) (offset / CONTEXT_BYTES);
    }

    boolean isFlush(int slot) {
        return slot >= window;
    }

    /** The operation of a slot; a data slot is free again afterwards. Poller. */
    int release(int slot) {
        if (isFlush(slot)) {
            return slot - window;
        }
        int op = opOfSlot[slot];
        freeSlots.put(slot);
        return op;
    }

    /** Notes the first failure of an operation. */
    void fail(int op, int errorCode, long nativeError) {
        if (code[op] == 0) {
            code[op] = errorCode;
            nativeCode[op] = nativeError;
        }
    }

    /** Counts a part off; true for the last one. Poller. */
    boolean partDone(int op) {
        return --remaining[op] == 0;
    }

    /** Whether a flush must follow before success is reported; true once. */
    boolean wantsFlush(int op) {
        boolean wants = flushes[op] && code[op] == 0;
        flushes[op] = false;
        if (wants) {
            remaining[op] = 1;
        }
        return wants;
    }

    long token(int op) {
        return token[op];
    }

    int code(int op) {
        return code[op];
    }

    long nativeCode(int op) {
        return nativeCode[op];
    }

    boolean isLive(int op) {
        return live[op];
    }

    int size() {
        return token.length;
    }

    /** Ends an operation whose completion is reported. Poller. */
    void end(int op) {
        live[op] = false;
        freeOps.put(op);
    }
}
