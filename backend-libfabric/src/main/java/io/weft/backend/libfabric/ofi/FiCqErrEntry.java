package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_cq_err_entry}, without the source address that 1.20 appended. */
public final class FiCqErrEntry {
    static final StructLayout LAYOUT = CStruct.named("fi_cq_err_entry")
            .pointers("op_context")
            .longs("flags", "len")
            .pointers("buf")
            .longs("data", "tag", "olen")
            .ints("err", "prov_errno")
            .pointers("err_data")
            .longs("err_data_size")
            .build();

    private static final long OP_CONTEXT = CStruct.offset(LAYOUT, "op_context");
    private static final long ERR = CStruct.offset(LAYOUT, "err");
    private static final long PROV_ERRNO = CStruct.offset(LAYOUT, "prov_errno");

    private FiCqErrEntry() {}

    /**
     * Allocates one, with room for later versions.
     *
     * @param arena the owner
     * @return a zeroed entry
     */
    public static MemorySegment allocate(Arena arena) {
        return Grown.allocate(arena, LAYOUT);
    }

    /**
     * Which operation failed.
     *
     * @param entry an entry
     * @return the context's address, 0 where the provider does not know
     */
    public static long context(MemorySegment entry) {
        return entry.get(ValueLayout.JAVA_LONG, OP_CONTEXT);
    }

    /**
     * Why.
     *
     * @param entry an entry
     * @return a positive libfabric error; some providers give it negative
     */
    public static int err(MemorySegment entry) {
        return Math.abs(entry.get(ValueLayout.JAVA_INT, ERR));
    }

    /**
     * Why, by the provider's own numbers.
     *
     * @param entry an entry
     * @return the provider's number
     */
    public static int providerErrno(MemorySegment entry) {
        return entry.get(ValueLayout.JAVA_INT, PROV_ERRNO);
    }
}
