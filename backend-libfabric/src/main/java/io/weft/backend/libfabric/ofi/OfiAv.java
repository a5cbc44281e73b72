package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code struct fid_av}: an address vector. */
public final class OfiAv extends OfiObject {
    private static final long OPS = CStruct.offset(Fids.AV, "ops");
    private static final MethodHandle INSERT =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));

    OfiAv(Ofi ofi, MemorySegment fid) {
        super(ofi, "address vector", fid);
    }

    /**
     * Inserts an address.
     *
     * @param name what {@link OfiEndpoint#name} gave on the other side
     * @return the {@code fi_addr_t}
     * @throws OfiException if the provider does not take it
     */
    public long insert(byte[] name) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            // Providers read the address by its format's size, whatever was handed over.
            MemorySegment bytes = arena.allocate(name.length + 256L, 8);
            MemorySegment.copy(name, 0, bytes, JAVA_BYTE, 0, name.length);
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment insert = Tables.function(fid(), OPS, Tables.AV, "insert");
            MemorySegment none = MemorySegment.NULL;
            int rc;
            try {
                rc = (int) INSERT.invokeExact(insert, fid(), bytes, 1L, out, 0L, none);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            if (rc != 1) {
                throw ofi.failure("fi_av_insert", toString(), rc < 0 ? -rc : 22);
            }
            return out.get(JAVA_LONG, 0);
        }
    }
}
