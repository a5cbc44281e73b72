package io.weft.cli.rank;

import io.weft.api.MemoryLocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/** Memory of this process. */
final class HostMemory implements Memory {
    /** Pages of the system, so that buffers do not share one. */
    private static final long ALIGNMENT = 4096;

    private final Arena arena = Arena.ofShared();
    private final TreeMap<Long, MemorySegment> segments = new TreeMap<>();

    @Override
    public MemoryLocation location() {
        return MemoryLocation.HOST;
    }

    @Override
    public long allocate(long length) {
        MemorySegment segment = arena.allocate(length, ALIGNMENT);
        segments.put(segment.address(), segment);
        return segment.address();
    }

    @Override
    public void put(long address, MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, get(address, bytes.byteSize()), 0, bytes.byteSize());
    }

    @Override
    public MemorySegment get(long address, long length) {
        Map.Entry<Long, MemorySegment> found = segments.floorEntry(address);
        return found.getValue().asSlice(address - found.getKey(), length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
