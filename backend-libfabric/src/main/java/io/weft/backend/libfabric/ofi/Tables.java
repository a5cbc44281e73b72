package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The tables of function pointers ({@code struct fi_ops_*}). Each begins with its own size, by which a library says how many
 * entries it has: an entry past it does not exist in that library.
 */
final class Tables {
    static final StructLayout FID = table("fi_ops", "close", "bind", "control", "ops_open");
    static final StructLayout FABRIC =
            table("fi_ops_fabric", "domain", "passive_ep", "eq_open", "wait_open", "trywait");
    static final StructLayout DOMAIN =
            table("fi_ops_domain", "av_open", "cq_open", "endpoint", "scalable_ep", "cntr_open");
    static final StructLayout MR = table("fi_ops_mr", "reg", "regv", "regattr");
    static final StructLayout CM = table("fi_ops_cm", "setname", "getname");
    static final StructLayout RMA = table(
            "fi_ops_rma",
            "read",
            "readv",
            "readmsg",
            "write",
            "writev",
            "writemsg",
            "inject",
            "writedata",
            "injectdata");
    static final StructLayout AV = table("fi_ops_av", "insert", "insertsvc", "insertsym", "remove", "lookup");
    static final StructLayout CQ =
            table("fi_ops_cq", "read", "readfrom", "readerr", "sread", "sreadfrom", "signal", "strerror");

    private Tables() {}

    private static StructLayout table(String name, String... functions) {
        return CStruct.named(name).longs("size").pointers(functions).build();
    }

    /**
     * Reads a function pointer.
     *
     * @param object an object of the library
     * @param tableOffset where its pointer to the table is
     * @param layout the table
     * @param function the entry
     * @return the pointer
     * @throws UnsupportedOperationException if the library's table is too short or the entry empty
     */
    static MemorySegment function(MemorySegment object, long tableOffset, StructLayout layout, String function) {
        MemorySegment pointer = Foreign.view(object, tableOffset + ValueLayout.ADDRESS.byteSize())
                .get(ValueLayout.ADDRESS, tableOffset);
        long size = Foreign.view(pointer, Long.BYTES).get(ValueLayout.JAVA_LONG, 0);
        long at = CStruct.offset(layout, function);
        MemorySegment found = at + ValueLayout.ADDRESS.byteSize() > size
                ? MemorySegment.NULL
                : Foreign.view(pointer, size).get(ValueLayout.ADDRESS, at);
        if (found.address() == 0) {
            throw new UnsupportedOperationException("this libfabric has no "
                    + layout.name().orElseThrow() + "." + function + " (table of " + size + " bytes)");
        }
        return found;
    }
}
