package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_av_attr}; a zero type lets the provider choose. */
final class FiAvAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_av_attr")
            .ints("type", "rx_ctx_bits")
            .longs("count", "ep_per_node")
            .pointers("name", "map_addr")
            .longs("flags")
            .build();

    private static final long COUNT = CStruct.offset(LAYOUT, "count");

    private FiAvAttr() {}

    static MemorySegment of(Arena arena, long count) {
        MemorySegment attr = Grown.allocate(arena, LAYOUT);
        attr.set(ValueLayout.JAVA_LONG, COUNT, count);
        return attr;
    }
}
