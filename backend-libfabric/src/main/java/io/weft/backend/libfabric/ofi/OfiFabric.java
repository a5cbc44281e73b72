package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code struct fid_fabric}. */
public final class OfiFabric extends OfiObject {
    private static final long OPS = CStruct.offset(Fids.FABRIC, "ops");
    private static final MethodHandle OPEN =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle TRY_WAIT =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

    private final MemorySegment tryWait;

    OfiFabric(Ofi ofi, String name, MemorySegment fid) {
        super(ofi, "fabric " + name, fid);
        tryWait = Tables.function(fid, OPS, Tables.FABRIC, "trywait");
    }

    /**
     * Opens the domain of an answer.
     *
     * @param info an answer of this fabric
     * @return the domain
     * @throws OfiException if the provider refuses
     */
    public OfiDomain openDomain(OfiInfo info) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment open = Tables.function(fid(), OPS, Tables.FABRIC, "domain");
            MemorySegment none = MemorySegment.NULL;
            int rc;
            try {
                rc = (int) OPEN.invokeExact(open, fid(), info.pointer(), out, none);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            check("fi_domain " + info.facts().domain(), rc);
            return new OfiDomain(ofi, info.facts().domain(), out.get(ADDRESS, 0));
        }
    }

    /**
     * Whether a thread may block on the wait object of a completion queue.
     *
     * @param slot a pointer-sized scratch segment
     * @param queue the queue
     * @return false if there is work to take first
     */
    public boolean mayWait(MemorySegment slot, OfiCq queue) {
        slot.set(ADDRESS, 0, queue.fid());
        try {
            int rc = (int) TRY_WAIT.invokeExact(tryWait, fid(), slot, 1);
            return rc == 0;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
