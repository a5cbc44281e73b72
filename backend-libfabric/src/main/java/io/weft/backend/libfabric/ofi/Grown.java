package io.weft.backend.libfabric.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** Structs that the caller allocates may have grown at their end in the library at hand; the rest must be there and zero. */
final class Grown {
    private static final long ROOM = 128;

    private Grown() {}

    static MemorySegment allocate(Arena arena, StructLayout layout) {
        return arena.allocate(layout.byteSize() + ROOM, 8);
    }
}
