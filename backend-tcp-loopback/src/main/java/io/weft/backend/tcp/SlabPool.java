package io.weft.backend.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that hold what a socket has not taken yet. A connection borrows one only while it has something to send, so idle
 * connections cost none. Thread-safe. All memory is freed by {@link #close}.
 */
final class SlabPool implements AutoCloseable {
    /** Fits an L2 cache beside other data. */
    static final int SLAB_BYTES = 128 << 10;

    /** Parts of a slab that may be on their way at once. */
    static final int VIEWS = Gather.ENTRIES;

    /** A buffer and the same memory as a segment. */
    static final class Slab {
        final ByteBuffer buffer;
        final MemorySegment memory;
        /** Made when first needed. */
        private final @Nullable ByteBuffer[] views = new ByteBuffer[VIEWS];

        Slab(Arena arena) {
            memory = arena.allocate(SLAB_BYTES, 64);
            buffer = memory.asByteBuffer().order(ByteOrder.BIG_ENDIAN);
        }

        /** Another buffer over the same memory, cleared; the same for the same number below {@link #VIEWS}. */
        ByteBuffer view(int number) {
            ByteBuffer view = views[number];
            if (view == null) {
                view = buffer.duplicate();
                views[number] = view;
            }
            return view.clear();
        }
    }

    private final Arena arena = Arena.ofShared();
    private final ArrayDeque<Slab> idle = new ArrayDeque<>();

    synchronized Slab borrow() {
        Slab slab = idle.poll();
        if (slab == null) {
            slab = new Slab(arena);
        }
        slab.buffer.clear();
        return slab;
    }

    synchronized void giveBack(Slab slab) {
        idle.push(slab);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
