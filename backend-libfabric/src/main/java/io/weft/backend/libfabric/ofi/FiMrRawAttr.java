package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct fi_mr_raw_attr}. */
final class FiMrRawAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_mr_raw_attr")
            .longs("flags")
            .pointers("base_addr", "raw_key", "key_size")
            .build();

    private FiMrRawAttr() {}

    static MemorySegment of(Arena arena, MemorySegment base, MemorySegment raw, MemorySegment size) {
        MemorySegment attr = arena.allocate(LAYOUT);
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "base_addr"), base.address());
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "raw_key"), raw.address());
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "key_size"), size.address());
        return attr;
    }
}
