package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_rx_attr}. */
final class FiRxAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_rx_attr")
            .longs("caps", "mode", "op_flags", "msg_order", "comp_order", "total_buffered_recv", "size", "iov_limit")
            .build();

    private static final long SIZE = CStruct.offset(LAYOUT, "size");

    private FiRxAttr() {}

    static void size(MemorySegment attr, long value) {
        attr.set(ValueLayout.JAVA_LONG, SIZE, value);
    }
}
