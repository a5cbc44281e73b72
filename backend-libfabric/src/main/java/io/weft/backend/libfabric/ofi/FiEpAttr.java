package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_ep_attr}. */
final class FiEpAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_ep_attr")
            .ints("type", "protocol", "protocol_version")
            .longs("max_msg_size", "msg_prefix_size", "max_order_raw_size", "max_order_war_size", "max_order_waw_size")
            .longs("mem_tag_format", "tx_ctx_cnt", "rx_ctx_cnt", "auth_key_size")
            .pointers("auth_key")
            .build();

    private static final long TYPE = CStruct.offset(LAYOUT, "type");
    private static final long MAX_MSG_SIZE = CStruct.offset(LAYOUT, "max_msg_size");

    private FiEpAttr() {}

    static void type(MemorySegment attr, int value) {
        attr.set(ValueLayout.JAVA_INT, TYPE, value);
    }

    static long maxMsgSize(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, MAX_MSG_SIZE);
    }
}
