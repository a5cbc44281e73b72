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

/** {@code struct fid_ep}: a reliable datagram endpoint. */
public final class OfiEndpoint extends OfiObject {
    private static final long CM = CStruct.offset(Fids.EP, "cm");
    private static final long RMA = CStruct.offset(Fids.EP, "rma");
    private static final int NAME_BYTES = 4096;
    private static final MethodHandle GET_NAME =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    /** Pointers travel as longs: the same register class, and no segment object per call. */
    private static final MethodHandle TRANSFER =
            Foreign.shape(FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));

    private final MemorySegment writeMessage;
    private final MemorySegment readMessage;

    OfiEndpoint(Ofi ofi, MemorySegment fid) {
        super(ofi, "endpoint", fid);
        writeMessage = Tables.function(fid, RMA, Tables.RMA, "writemsg");
        readMessage = Tables.function(fid, RMA, Tables.RMA, "readmsg");
    }

    /**
     * Binds an address vector and a completion queue for both directions, and enables the endpoint.
     *
     * @param av the vector
     * @param cq the queue
     * @throws OfiException if the provider refuses
     */
    public void enable(OfiAv av, OfiCq cq) throws OfiException {
        bind(av, 0);
        bind(cq, Fi.TRANSMIT | Fi.RECV);
        check("fi_enable", control(ENABLE, MemorySegment.NULL));
    }

    /**
     * The address for peers' address vectors.
     *
     * @return bytes in the provider's format
     * @throws OfiException if the endpoint is not enabled
     */
    public byte[] name() throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES, 8);
            MemorySegment length = arena.allocate(JAVA_LONG);
            length.set(JAVA_LONG, 0, NAME_BYTES);
            MemorySegment getName = Tables.function(fid(), CM, Tables.CM, "getname");
            int rc;
            try {
                rc = (int) GET_NAME.invokeExact(getName, fid(), name, length);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            check("fi_getname", rc);
            return name.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
        }
    }

    /**
     * Posts a write. Allocates nothing.
     *
     * @param message from {@link FiMsgRma#finish}
     * @param flags {@code FI_*} flags of the operation
     * @return 0, {@code -FI_EAGAIN}, or another negative error
     */
    public long write(long message, long flags) {
        try {
            return (long) TRANSFER.invokeExact(writeMessage, fid(), message, flags);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Posts a read. Allocates nothing.
     *
     * @param message from {@link FiMsgRma#finish}
     * @param flags {@code FI_*} flags of the operation
     * @return 0, {@code -FI_EAGAIN}, or another negative error
     */
    public long read(long message, long flags) {
        try {
            return (long) TRANSFER.invokeExact(readMessage, fid(), message, flags);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
