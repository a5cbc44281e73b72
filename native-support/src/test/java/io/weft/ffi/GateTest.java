package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.spi.EngineClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GateTest {
    private final Gate gate = new Gate();

    @Test
    void lastsUntilTheLastOneLeft() {
        assertThat(gate.enter()).isTrue();
        assertThat(gate.shut()).isTrue();
        assertThat(gate.shut()).isFalse();
        assertThat(gate.enter()).isFalse();
        assertThat(gate.awaitEmpty(EngineClock.SYSTEM, System.nanoTime() + 1_000_000))
                .isFalse();
        gate.leave();
        assertThat(gate.awaitEmpty(EngineClock.SYSTEM, System.nanoTime() + TimeUnit.SECONDS.toNanos(5)))
                .isTrue();
    }

    @Test
    void nobodyIsInsideAfterwardsHoweverManyPush() throws InterruptedException {
        AtomicBoolean freed = new AtomicBoolean();
        AtomicInteger late = new AtomicInteger();
        CountDownLatch busy = new CountDownLatch(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofPlatform().start(() -> {
                int rounds = 0;
                while (gate.enter()) {
                    if (freed.get()) {
                        late.incrementAndGet();
                    }
                    gate.leave();
                    if (++rounds == 1000) {
                        busy.countDown();
                    }
                }
            });
        }
        busy.await();
        gate.shut();
        assertThat(gate.awaitEmpty(EngineClock.SYSTEM, System.nanoTime() + TimeUnit.SECONDS.toNanos(20)))
                .isTrue();
        freed.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(late).hasValue(0);
    }
}
