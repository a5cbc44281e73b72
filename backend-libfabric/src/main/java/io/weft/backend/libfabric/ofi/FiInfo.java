package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_info}: what is asked of {@code fi_getinfo} and what it answers, a linked list. */
final class FiInfo {
    static final StructLayout LAYOUT = CStruct.named("fi_info")
            .pointers("next")
            .longs("caps", "mode")
            .ints("addr_format")
            .longs("src_addrlen", "dest_addrlen")
            .pointers("src_addr", "dest_addr", "handle", "tx_attr", "rx_attr", "ep_attr", "domain_attr", "fabric_attr")
            .pointers("nic")
            .build();

    private static final long NEXT = CStruct.offset(LAYOUT, "next");
    private static final long CAPS = CStruct.offset(LAYOUT, "caps");
    private static final long MODE = CStruct.offset(LAYOUT, "mode");
    private static final long ADDR_FORMAT = CStruct.offset(LAYOUT, "addr_format");
    private static final long TX_ATTR = CStruct.offset(LAYOUT, "tx_attr");
    private static final long RX_ATTR = CStruct.offset(LAYOUT, "rx_attr");
    private static final long EP_ATTR = CStruct.offset(LAYOUT, "ep_attr");
    private static final long DOMAIN_ATTR = CStruct.offset(LAYOUT, "domain_attr");
    private static final long FABRIC_ATTR = CStruct.offset(LAYOUT, "fabric_attr");

    private FiInfo() {}

    static MemorySegment at(MemorySegment pointer) {
        return Foreign.view(pointer, LAYOUT.byteSize());
    }

    static MemorySegment next(MemorySegment info) {
        return info.get(ValueLayout.ADDRESS, NEXT);
    }

    static long caps(MemorySegment info) {
        return info.get(ValueLayout.JAVA_LONG, CAPS);
    }

    static void caps(MemorySegment info, long value) {
        info.set(ValueLayout.JAVA_LONG, CAPS, value);
    }

    static long mode(MemorySegment info) {
        return info.get(ValueLayout.JAVA_LONG, MODE);
    }

    static void mode(MemorySegment info, long value) {
        info.set(ValueLayout.JAVA_LONG, MODE, value);
    }

    static int addrFormat(MemorySegment info) {
        return info.get(ValueLayout.JAVA_INT, ADDR_FORMAT);
    }

    static MemorySegment txAttr(MemorySegment info) {
        return Foreign.view(info.get(ValueLayout.ADDRESS, TX_ATTR), FiTxAttr.LAYOUT.byteSize());
    }

    static MemorySegment rxAttr(MemorySegment info) {
        return Foreign.view(info.get(ValueLayout.ADDRESS, RX_ATTR), FiRxAttr.LAYOUT.byteSize());
    }

    static MemorySegment epAttr(MemorySegment info) {
        return Foreign.view(info.get(ValueLayout.ADDRESS, EP_ATTR), FiEpAttr.LAYOUT.byteSize());
    }

    static MemorySegment domainAttr(MemorySegment info) {
        return Foreign.view(info.get(ValueLayout.ADDRESS, DOMAIN_ATTR), FiDomainAttr.LAYOUT.byteSize());
    }

    static MemorySegment fabricAttr(MemorySegment info) {
        return Foreign.view(info.get(ValueLayout.ADDRESS, FABRIC_ATTR), FiFabricAttr.LAYOUT.byteSize());
    }
}
