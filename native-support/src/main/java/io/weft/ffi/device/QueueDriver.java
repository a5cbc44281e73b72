package io.weft.ffi.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/**
 * What CUDA's and HIP's driver interfaces have in common: allocations, streams and events with equal signatures and equal
 * numbers.
 */
abstract class QueueDriver implements GpuDriver {
    private static final int NOT_READY = 600;
    private static final int STREAM_NON_BLOCKING = 1;
    private static final int EVENT_DISABLE_TIMING = 2;

    /** Names of the functions, in the order of the fields. */
    record Names(
            String alloc,
            String free,
            String streamCreate,
            String streamDestroy,
            String streamSynchronize,
            String eventCreate,
            String eventRecord,
            String eventQuery,
            String eventDestroy) {}

    private final Names names;
    private final MemorySegment alloc;
    private final MemorySegment free;
    private final MemorySegment streamCreate;
    private final MemorySegment streamDestroy;
    private final MemorySegment streamSynchronize;
    private final MemorySegment eventCreate;
    private final MemorySegment eventRecord;
    private final MemorySegment eventQuery;
    private final MemorySegment eventDestroy;

    QueueDriver(Functions functions, Names names) {
        this.names = names;
        alloc = functions.get(names.alloc);
        free = functions.get(names.free);
        streamCreate = functions.get(names.streamCreate);
        streamDestroy = functions.get(names.streamDestroy);
        streamSynchronize = functions.get(names.streamSynchronize);
        eventCreate = functions.get(names.eventCreate);
        eventRecord = functions.get(names.eventRecord);
        eventQuery = functions.get(names.eventQuery);
        eventDestroy = functions.get(names.eventDestroy);
    }

    /** The driver's name of a status. */
    abstract String statusName(int status);

    final void check(int status, String call) {
        if (status != 0) {
            throw DriverFailure.of(kind().id(), call, status, statusName(status));
        }
    }

    @Override
    public final long allocate(long length) {
        return outLong(names.alloc, out -> DriverCalls.call(alloc, out, length));
    }

    @Override
    public final void free(long address) {
        check(DriverCalls.call(free, address), names.free);
    }

    @Override
    public final long createStream() {
        return outLong(names.streamCreate, out -> DriverCalls.call(streamCreate, out, STREAM_NON_BLOCKING));
    }

    @Override
    public final void destroyStream(long stream) {
        check(DriverCalls.call(streamDestroy, stream), names.streamDestroy);
    }

    @Override
    public final void synchronize(long stream) {
        check(DriverCalls.call(streamSynchronize, stream), names.streamSynchronize);
    }

    @Override
    public final long createEvent() {
        return outLong(names.eventCreate, out -> DriverCalls.call(eventCreate, out, EVENT_DISABLE_TIMING));
    }

    @Override
    public final void record(long event, long stream) {
        check(DriverCalls.call(eventRecord, event, stream), names.eventRecord);
    }

    @Override
    public final boolean isReached(long event) {
        int status = DriverCalls.call(eventQuery, event);
        if (status == NOT_READY) {
            return false;
        }
        check(status, names.eventQuery);
        return true;
    }

    @Override
    public final void destroyEvent(long event) {
        check(DriverCalls.call(eventDestroy, event), names.eventDestroy);
    }

    private long outLong(String call, ToIntFunction<MemorySegment> function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check(function.applyAsInt(out), call);
            return out.get(JAVA_LONG, 0);
        }
    }
}
