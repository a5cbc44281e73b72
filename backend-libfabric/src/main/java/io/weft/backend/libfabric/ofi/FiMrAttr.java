package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct fi_mr_attr}, as API 1.17 has it; what later versions append ({@code hmem_data}, {@code page_size},
 * {@code base_mr}, {@code sub_mr_cnt}) follows as zeroes.
 */
final class FiMrAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_mr_attr")
            .pointers("mr_iov")
            .longs("iov_count", "access", "offset", "requested_key")
            .pointers("context")
            .longs("auth_key_size")
            .pointers("auth_key")
            .ints("iface")
            .longs("device")
            .longs("later0", "later1", "later2", "later3")
            .build();
    /** {@code struct fi_mr_dmabuf}, which {@code mr_iov} points to with {@code FI_MR_DMABUF}. */
    static final StructLayout DMABUF = CStruct.named("fi_mr_dmabuf")
            .ints("fd")
            .longs("offset", "len")
            .pointers("base_addr")
            .build();

    private FiMrAttr() {}

    static MemorySegment of(Arena arena, DeviceRange range, long access, long key, int iface) {
        MemorySegment attr = arena.allocate(LAYOUT);
        attr.set(ADDRESS, CStruct.offset(LAYOUT, "mr_iov"), range.fd() < 0 ? iov(arena, range) : dmabuf(arena, range));
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "iov_count"), 1);
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "access"), access);
        attr.set(JAVA_LONG, CStruct.offset(LAYOUT, "requested_key"), key);
        attr.set(JAVA_INT, CStruct.offset(LAYOUT, "iface"), iface);
        attr.set(JAVA_INT, CStruct.offset(LAYOUT, "device"), range.device());
        return attr;
    }

    private static MemorySegment iov(Arena arena, DeviceRange range) {
        MemorySegment iov = arena.allocate(FiMsgRma.IOVEC);
        iov.set(JAVA_LONG, 0, range.address());
        iov.set(JAVA_LONG, 8, range.length());
        return iov;
    }

    /** The provider computes an address's place as offset plus its distance from {@code base_addr}. */
    private static MemorySegment dmabuf(Arena arena, DeviceRange range) {
        MemorySegment dmabuf = arena.allocate(DMABUF);
        dmabuf.set(JAVA_INT, CStruct.offset(DMABUF, "fd"), range.fd());
        dmabuf.set(JAVA_LONG, CStruct.offset(DMABUF, "offset"), range.offset());
        dmabuf.set(JAVA_LONG, CStruct.offset(DMABUF, "len"), range.length());
        dmabuf.set(JAVA_LONG, CStruct.offset(DMABUF, "base_addr"), range.address());
        return dmabuf;
    }
}
