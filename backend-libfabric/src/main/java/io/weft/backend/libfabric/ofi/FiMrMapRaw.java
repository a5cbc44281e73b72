package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct fi_mr_map_raw}. */
final class FiMrMapRaw {
    static final StructLayout LAYOUT = CStruct.named("fi_mr_map_raw")
            .longs("flags", "base_addr")
            .pointers("raw_key")
            .longs("key_size")
            .pointers("key")
            .build();

    private FiMrMapRaw() {}

    static MemorySegment of(Arena arena, long base, byte[] raw, MemorySegment key) {
        MemorySegment map = arena.allocate(LAYOUT);
        map.set(JAVA_LONG, CStruct.offset(LAYOUT, "base_addr"), base);
        map.set(
                JAVA_LONG,
                CStruct.offset(LAYOUT, "raw_key"),
                arena.allocateFrom(JAVA_BYTE, raw).address());
        map.set(JAVA_LONG, CStruct.offset(LAYOUT, "key_size"), raw.length);
        map.set(JAVA_LONG, CStruct.offset(LAYOUT, "key"), key.address());
        return map;
    }
}
