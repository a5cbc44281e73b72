package io.weft.backend.tcp;

import io.weft.api.Access;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A registered region, with the byte buffers that socket calls need over it. Thread-safe.
 *
 * <p>A byte buffer covers at most 2 GiB, so a region is a row of windows that start every 1 GiB and overlap: any range of at
 * most 1 GiB lies in one window.
 */
final class Region implements LocalMemory {
    static final int MAX_RANGE = 1 << 30;
    private static final int WINDOW_SHIFT = 30;
    private static final int SPARES = 16;

    private final MemorySpec spec;
    private final MemorySegment memory;
    private final boolean peersMayRead;
    private final boolean peersMayWrite;
    private final ByteBuffer[] windows;
    /** Idle duplicates, so that socket calls of several threads need no new objects. */
    private final AtomicReferenceArray<ByteBuffer> spares;

    private volatile boolean live = true;

    Region(MemorySpec spec, MemorySegment memory) {
        this.spec = spec;
        this.memory = memory;
        this.peersMayRead = spec.access().contains(Access.REMOTE_READ);
        this.peersMayWrite = spec.access().contains(Access.REMOTE_WRITE) && !memory.isReadOnly();
        int count = Math.toIntExact((memory.byteSize() + MAX_RANGE - 1) >>> WINDOW_SHIFT);
        windows = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            long start = (long) i << WINDOW_SHIFT;
            windows[i] = memory.asSlice(start, Math.min(memory.byteSize() - start, Integer.MAX_VALUE))
                    .asByteBuffer();
        }
        spares = new AtomicReferenceArray<>(count * SPARES);
    }

    @Override
    public MemorySpec spec() {
        return spec;
    }

    long length() {
        return memory.byteSize();
    }

    MemorySegment memory() {
        return memory;
    }

    boolean peersMayRead() {
        return peersMayRead;
    }

    boolean peersMayWrite() {
        return peersMayWrite;
    }

    /** False once deregistration began: reactors then stop touching the memory for peers. */
    boolean isLive() {
        return live;
    }

    void retire() {
        live = false;
    }

    /** Overflow-safe bounds check of unsigned offsets from the wire. */
    boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && offset <= length() && bytes <= length() - offset;
    }

    /** A buffer from position to limit over the range; hand it back with {@link #giveBack}. */
    ByteBuffer borrow(long offset, int bytes) {
        int window = (int) (offset >>> WINDOW_SHIFT);
        ByteBuffer view = null;
        for (int i = window * SPARES; view == null && i < (window + 1) * SPARES; i++) {
            if (spares.getPlain(i) != null) {
                view = spares.getAndSet(i, null);
            }
        }
        if (view == null) {
            view = windows[window].duplicate();
        }
        int start = (int) (offset - ((long) window << WINDOW_SHIFT));
        return view.clear().limit(start + bytes).position(start);
    }

    void giveBack(long offset, ByteBuffer view) {
        int window = (int) (offset >>> WINDOW_SHIFT);
        for (int i = window * SPARES; i < (window + 1) * SPARES; i++) {
            if (spares.getPlain(i) == null && spares.compareAndSet(i, null, view)) {
                return;
            }
        }
    }
}
