package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule TIME-1 with a manual clock: where in a turn the thread was stopped makes no difference. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class IoLoopTest {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STOPPED = TimeUnit.SECONDS.toNanos(60);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - TICK / 2);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private IoLoop loop;

    @BeforeEach
    void start() throws Exception {
        loop = new IoLoop("weft-test-loop", clock::get, new IoLoop.Owner() {
            @Override
            public void stalled(long nanos, long now) {
                heard.add("stalled " + nanos);
            }

            @Override
            public long tick(long now) {
                heard.add("tick");
                return now + TICK;
            }

            @Override
            public void ended() {
                heard.add("ended");
            }
        });
        loop.start();
        assertThat(next()).isEqualTo("tick");
    }

    @AfterEach
    void stop() throws Exception {
        loop.stop();
        assertThat(loop.join(clock.get() + Duration.ofSeconds(10).toNanos())).isTrue();
    }

    private String next() throws InterruptedException {
        return heard.poll(10, TimeUnit.SECONDS);
    }

    private void wake() {
        loop.execute(() -> {});
    }

    @Test
    void stoppedWhileItSlept() throws Exception {
        clock.addAndGet(TICK + STOPPED);
        wake();
        assertThat(next()).isEqualTo("stalled " + STOPPED);
        assertThat(next()).isEqualTo("tick");
    }

    @Test
    void stoppedInTheMiddleOfATurn() throws Exception {
        loop.execute(() -> clock.addAndGet(STOPPED));
        assertThat(next()).isEqualTo("stalled " + STOPPED);
        assertThat(next()).isEqualTo("tick");
    }

    @Test
    void sleepingAsPlannedIsNoStop() throws Exception {
        clock.addAndGet(TICK);
        wake();
        assertThat(next()).isEqualTo("tick");
    }

    @Test
    void wakesBeforeWhatIsDueEarlier() throws Exception {
        loop.wakeBefore(clock.get() + TICK / 2);
        assertThat(next()).isEqualTo("tick");
    }
}
