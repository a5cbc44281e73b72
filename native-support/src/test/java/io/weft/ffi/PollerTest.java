package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PollerTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(20);

    @Test
    void aWakeupBeforeTheWaitEndsIt() {
        try (Poller poller = new Poller()) {
            long start = System.nanoTime();
            poller.wakeup();
            poller.wakeup();
            poller.await(LONG);
            assertThat(System.nanoTime() - start).isLessThan(LONG / 2);

            poller.await(TimeUnit.MILLISECONDS.toNanos(1));
            poller.wakeup();
            poller.await(LONG);
            assertThat(System.nanoTime() - start).isLessThan(LONG / 2);
        }
    }

    @Test
    void aWakeupOfAnotherThreadEndsTheWait() throws Exception {
        try (Poller poller = new Poller()) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread waiter = Thread.ofPlatform().start(() -> {
                begun.countDown();
                poller.await(LONG);
            });
            begun.await();
            poller.wakeup();
            waiter.join(TimeUnit.NANOSECONDS.toMillis(LONG) / 2);
            assertThat(waiter.isAlive()).isFalse();
        }
    }

    @Test
    void tellsWhichDescriptorsAreReady() throws Throwable {
        MethodHandle pipe = Foreign.libc("pipe", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        MethodHandle write = Foreign.libc(
                "write",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        MethodHandle close = Foreign.libc("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        int[][] pipes = new int[20][];
        try (Poller poller = new Poller();
                Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < pipes.length; i++) {
                MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
                assertThat((int) pipe.invokeExact(ends)).isZero();
                pipes[i] = ends.toArray(ValueLayout.JAVA_INT);
                assertThat(poller.add(pipes[i][0])).isEqualTo(i + 1);
            }
            poller.await(0);
            assertThat(poller.isReady(14)).isFalse();

            long written = (long) write.invokeExact(pipes[13][1], arena.allocate(1), 1L);
            assertThat(written).isEqualTo(1);
            poller.await(LONG);
            assertThat(poller.isReady(14)).isTrue();
            assertThat(poller.isReady(13)).isFalse();

            poller.clear();
            assertThat(poller.add(pipes[13][0])).isEqualTo(1);
        } finally {
            for (int[] ends : pipes) {
                int first = (int) close.invokeExact(ends[0]);
                int second = (int) close.invokeExact(ends[1]);
                assertThat(first + second).isZero();
            }
        }
    }
}
