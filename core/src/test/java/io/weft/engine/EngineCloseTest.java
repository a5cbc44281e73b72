package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.TransferEngine;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.ProgressSource;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A backend's close frees what its progress source uses, so the source's thread has to be gone by then. */
@Timeout(60)
class EngineCloseTest {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideAtClose = new AtomicInteger(-1);

    /** A source that stays in its first call until it is let go. */
    private final class Staying implements ProgressSource {
        @Override
        public String name() {
            return "staying";
        }

        @Override
        public int progress(int budget) {
            inside.incrementAndGet();
            entered.countDown();
            boolean waiting = true;
            while (waiting) {
                try {
                    waiting = !released.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException notForThis) {
                    waiting = true;
                }
            }
            inside.decrementAndGet();
            return 0;
        }

        @Override
        public void await(long timeoutNanos) {}

        @Override
        public void wakeup() {}
    }

    private TransferEngine open() {
        return TwoEngines.open(
                "closing",
                new ForwardingProvider(new MemProvider()) {
                    @Override
                    public Backend open(BackendContext context) {
                        return new ForwardingBackend(super.open(context)) {
                            @Override
                            public List<ProgressSource> progressSources() {
                                return List.of(new Staying());
                            }

                            @Override
                            public void close(long deadlineNanos) {
                                insideAtClose.set(inside.get());
                                super.close(deadlineNanos);
                            }
                        };
                    }
                },
                Map.of());
    }

    @Test
    void aBackendIsClosedOnceItsProgressThreadIsGoneAlsoByAnInterruptedThread() throws Exception {
        TransferEngine engine = open();
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            engine.close(Duration.ofSeconds(5));
        });
        closing.start();
        assertThat(insideAtClose).hasValue(-1);

        released.countDown();

        assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
        assertThat(insideAtClose).hasValue(0);
    }

    @Test
    void aBackendWhoseProgressThreadDoesNotComeBackIsLeftOpenInBounds() throws Exception {
        TransferEngine engine = open();
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            engine.close(Duration.ofMillis(100));

            assertThat(insideAtClose).as("closed although a thread was inside").hasValue(-1);
        } finally {
            released.countDown();
        }
    }
}
