package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code struct fid_cq}: a completion queue whose entries are contexts. */
public final class OfiCq extends OfiObject {
    /** Bytes of an entry: one pointer. */
    public static final long ENTRY_BYTES = 8;
    /** Nothing there: {@code -FI_EAGAIN}. */
    public static final long EMPTY = -11;
    /** An error entry must be taken first: {@code -FI_EAVAIL}. */
    public static final long ERROR_AVAILABLE = -259;

    private static final long OPS = CStruct.offset(Fids.CQ, "ops");
    /** {@code FI_GETWAIT}. */
    static final int GET_WAIT = 5;

    private static final MethodHandle READ =
            Foreign.shape(FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));

    private final MemorySegment read;
    private final MemorySegment readErr;

    OfiCq(Ofi ofi, MemorySegment fid) {
        super(ofi, "completion queue", fid);
        read = Tables.function(fid, OPS, Tables.CQ, "read");
        readErr = Tables.function(fid, OPS, Tables.CQ, "readerr");
    }

    /**
     * Takes completions, and makes progress on what is bound to the queue. Allocates nothing.
     *
     * @param entries address of room for {@code count} entries
     * @param count most to take
     * @return how many, or {@link #EMPTY}, {@link #ERROR_AVAILABLE}, another negative error
     */
    public long read(long entries, long count) {
        try {
            return (long) READ.invokeExact(read, fid(), entries, count);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Takes an error entry.
     *
     * @param entry an entry of {@link FiCqErrEntry#allocate}
     * @return 1 if there was one
     */
    public long readError(MemorySegment entry) {
        entry.fill((byte) 0);
        long address = entry.address();
        try {
            return (long) READ.invokeExact(readErr, fid(), address, 0L);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * The descriptor to block on.
     *
     * @return a file descriptor, owned by the queue
     * @throws OfiException if the queue was opened without one
     */
    public int waitFd() throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fd = arena.allocate(JAVA_INT);
            check("fi_control FI_GETWAIT", control(GET_WAIT, fd));
            return fd.get(JAVA_INT, 0);
        }
    }
}
