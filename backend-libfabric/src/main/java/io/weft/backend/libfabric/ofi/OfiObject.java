package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An object of the library with its one owner. Calls on a closed one throw {@link IllegalStateException}; that nothing is inside
 * a call when it is closed is the owner's duty.
 *
 * <p>Threading: as the domain was opened, {@code FI_THREAD_SAFE}; {@link #close} once, by one thread.
 */
abstract class OfiObject {
    private static final long OPS = CStruct.offset(Fids.FID, "ops");
    /** {@code FI_ENABLE}. */
    static final int ENABLE = 6;

    private static final MethodHandle CLOSE = Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle BIND =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle CONTROL =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

    final Ofi ofi;
    private final String what;
    private final AtomicReference<MemorySegment> fid;

    OfiObject(Ofi ofi, String what, MemorySegment fid) {
        this.ofi = ofi;
        this.what = what;
        this.fid = new AtomicReference<>(fid);
    }

    final MemorySegment fid() {
        MemorySegment pointer = fid.get();
        if (pointer.address() == 0) {
            throw new IllegalStateException(what + " is closed");
        }
        return pointer;
    }

    final MemorySegment baseFunction(String name) {
        return Tables.function(fid(), OPS, Tables.FID, name);
    }

    final void bind(OfiObject other, long flags) throws OfiException {
        int rc;
        try {
            rc = (int) BIND.invokeExact(baseFunction("bind"), fid(), other.fid(), flags);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        check("fi_bind", rc);
    }

    final int control(int command, MemorySegment argument) {
        try {
            return (int) CONTROL.invokeExact(baseFunction("control"), fid(), command, argument);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    final void check(String call, int rc) throws OfiException {
        if (rc != 0) {
            throw ofi.failure(call, what, -rc);
        }
    }

    /**
     * Closes the object; later calls do nothing.
     *
     * @throws OfiException EBUSY if something still hangs on it; it is then still open
     */
    public final void close() throws OfiException {
        MemorySegment pointer = fid.get();
        if (pointer.address() == 0) {
            return;
        }
        int rc;
        try {
            rc = (int) CLOSE.invokeExact(baseFunction("close"), pointer);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        check("fi_close", rc);
        fid.set(MemorySegment.NULL);
    }

    @Override
    public final String toString() {
        return what;
    }
}
