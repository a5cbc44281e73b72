package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The inlined verbs of one device. Immutable; safe from any thread. */
public final class DataPath {
    private static final MethodHandle POST =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle NOTIFY = Foreign.shape(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private final MemorySegment postSend;
    private final MemorySegment postRecv;
    private final MemorySegment pollCq;
    private final MemorySegment notifyCq;

    /**
     * Reads the function pointers.
     *
     * @param context an open device
     */
    public DataPath(MemorySegment context) {
        MemorySegment struct = Foreign.view(context, Structs.CONTEXT.byteSize());
        postSend = struct.get(ADDRESS, CStruct.offset(Structs.CONTEXT, "post_send"));
        postRecv = struct.get(ADDRESS, CStruct.offset(Structs.CONTEXT, "post_recv"));
        pollCq = struct.get(ADDRESS, CStruct.offset(Structs.CONTEXT, "poll_cq"));
        notifyCq = struct.get(ADDRESS, CStruct.offset(Structs.CONTEXT, "req_notify_cq"));
    }

    /**
     * Posts a chain with one doorbell. Allocates nothing.
     *
     * @param qp address of the queue pair
     * @param chain address of the first work request
     * @param bad address of room for a pointer
     * @return 0 or errno
     */
    public int postSend(long qp, long chain, long bad) {
        try {
            return (int) POST.invokeExact(postSend, qp, chain, bad);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Posts receive buffers. Allocates nothing.
     *
     * @param qp address of the queue pair
     * @param chain address of the first receive request
     * @param bad address of room for a pointer
     * @return 0 or errno
     */
    public int postRecv(long qp, long chain, long bad) {
        try {
            return (int) POST.invokeExact(postRecv, qp, chain, bad);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Takes completions. Allocates nothing.
     *
     * @param cq address of the queue
     * @param most how many fit
     * @param completions address of room for them
     * @return how many were taken, negative on failure
     */
    public int pollCq(long cq, int most, long completions) {
        try {
            return (int) POLL.invokeExact(pollCq, cq, most, completions);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Asks for an event at the next completion.
     *
     * @param cq address of the queue
     * @return 0 or errno
     */
    public int requestNotify(long cq) {
        try {
            return (int) NOTIFY.invokeExact(notifyCq, cq, 0);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
