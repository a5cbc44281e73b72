package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code struct fid_mr}: a registration. */
public final class OfiMr extends OfiObject {
    private static final long DESC = CStruct.offset(Fids.MR, "mem_desc");
    private static final long KEY = CStruct.offset(Fids.MR, "key");
    /** {@code FI_GET_RAW_MR}. */
    static final int GET_RAW = 8;
    /** More than any provider's key. */
    private static final long RAW_BYTES = 256;

    OfiMr(Ofi ofi, MemorySegment fid) {
        super(ofi, "memory region", fid);
    }

    /**
     * The descriptor for local use.
     *
     * @return an opaque pointer, often 0
     */
    public long descriptor() {
        return Foreign.view(fid(), Fids.MR.byteSize()).get(JAVA_LONG, DESC);
    }

    /**
     * The key for peers; valid after {@link #enableOn} where regions are bound to endpoints.
     *
     * @return the key
     */
    public long key() {
        return Foreign.view(fid(), Fids.MR.byteSize()).get(JAVA_LONG, KEY);
    }

    /**
     * A key longer than 64 bits.
     *
     * @param base the base address that belongs to it
     * @param bytes the key
     */
    public record RawKey(long base, byte[] bytes) {}

    /**
     * The raw key.
     *
     * @return base and bytes
     * @throws OfiException if the provider has none
     */
    public RawKey rawKey() throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment base = arena.allocate(JAVA_LONG);
            MemorySegment raw = arena.allocate(RAW_BYTES);
            MemorySegment size = arena.allocate(JAVA_LONG);
            size.set(JAVA_LONG, 0, RAW_BYTES);
            check("fi_mr_raw_attr", control(GET_RAW, FiMrRawAttr.of(arena, base, raw, size)));
            byte[] bytes = raw.asSlice(0, size.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
            return new RawKey(base.get(JAVA_LONG, 0), bytes);
        }
    }

    /**
     * Binds the region to an endpoint and enables it, where the provider wants that.
     *
     * @param endpoint the endpoint through which peers may reach it
     * @throws OfiException if the provider refuses
     */
    public void enableOn(OfiEndpoint endpoint) throws OfiException {
        bind(endpoint, 0);
        check("fi_mr_enable", control(ENABLE, MemorySegment.NULL));
    }
}
