package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_cq_attr}. */
final class FiCqAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_cq_attr")
            .longs("size", "flags")
            .ints("format", "wait_obj", "signaling_vector", "wait_cond")
            .pointers("wait_set")
            .build();

    private static final long SIZE = CStruct.offset(LAYOUT, "size");
    private static final long FORMAT = CStruct.offset(LAYOUT, "format");
    private static final long WAIT_OBJ = CStruct.offset(LAYOUT, "wait_obj");

    private FiCqAttr() {}

    static MemorySegment of(Arena arena, long size, int waitObject) {
        MemorySegment attr = Grown.allocate(arena, LAYOUT);
        attr.set(ValueLayout.JAVA_LONG, SIZE, size);
        attr.set(ValueLayout.JAVA_INT, FORMAT, Fi.CQ_FORMAT_CONTEXT);
        attr.set(ValueLayout.JAVA_INT, WAIT_OBJ, waitObject);
        return attr;
    }
}
