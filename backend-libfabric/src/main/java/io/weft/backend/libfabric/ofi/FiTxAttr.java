package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_tx_attr}. */
final class FiTxAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_tx_attr")
            .longs("caps", "mode", "op_flags", "msg_order", "comp_order", "inject_size", "size", "iov_limit")
            .longs("rma_iov_limit")
            .ints("tclass")
            .build();

    private static final long MSG_ORDER = CStruct.offset(LAYOUT, "msg_order");
    private static final long INJECT_SIZE = CStruct.offset(LAYOUT, "inject_size");
    private static final long SIZE = CStruct.offset(LAYOUT, "size");
    private static final long IOV_LIMIT = CStruct.offset(LAYOUT, "iov_limit");
    private static final long RMA_IOV_LIMIT = CStruct.offset(LAYOUT, "rma_iov_limit");

    private FiTxAttr() {}

    static long msgOrder(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, MSG_ORDER);
    }

    static long injectSize(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, INJECT_SIZE);
    }

    static long size(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, SIZE);
    }

    static void size(MemorySegment attr, long value) {
        attr.set(ValueLayout.JAVA_LONG, SIZE, value);
    }

    static long iovLimit(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, IOV_LIMIT);
    }

    static long rmaIovLimit(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, RMA_IOV_LIMIT);
    }
}
