package io.weft.bench.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/** Processor time of this process, user and system, of all its threads. The JDK's own way counts in steps of 10 ms. Linux only. */
final class ProcessorTime {
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

    @SuppressWarnings("restricted") // one function of the C library, by its documented signature
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("clock_gettime").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private ProcessorTime() {}

    static long nanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            int failed = (int) CLOCK_GETTIME.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time);
            if (failed != 0) {
                throw new IllegalStateException("clock_gettime(CLOCK_PROCESS_CPUTIME_ID) failed");
            }
            return TimeUnit.SECONDS.toNanos(time.getAtIndex(ValueLayout.JAVA_LONG, 0))
                    + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
