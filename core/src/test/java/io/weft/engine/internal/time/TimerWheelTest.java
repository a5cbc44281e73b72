package io.weft.engine.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.spi.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimerWheelTest {
    private static final long MS = 1_000_000;

    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicLong time = new AtomicLong();
    private TimerWheel wheel = wheel(EngineClock.SYSTEM);

    private TimerWheel wheel(EngineClock clock) {
        return new TimerWheel(clock, task -> {
            threads.incrementAndGet();
            return Thread.ofPlatform().daemon().unstarted(task);
        });
    }

    @AfterEach
    void close() throws InterruptedException {
        wheel.close(TimeUnit.SECONDS.toNanos(5));
    }

    private record Fired(String name, long at) {}

    private static Timer timer(String name, EngineClock clock, BlockingQueue<Fired> fired) {
        return new Timer() {
            @Override
            protected void fire() {
                fired.add(new Fired(name, clock.nanos()));
            }
        };
    }

    @Test
    void startsNoThreadBeforeTheFirstTimer() {
        wheel.cancel(timer("never", EngineClock.SYSTEM, new LinkedBlockingQueue<>()));
        assertThat(threads).hasValue(0);
    }

    @Test
    void firesInOrderAndNeverEarly() throws InterruptedException {
        BlockingQueue<Fired> fired = new LinkedBlockingQueue<>();
        long start = System.nanoTime();
        wheel.schedule(timer("c", EngineClock.SYSTEM, fired), start + 30 * MS);
        wheel.schedule(timer("a", EngineClock.SYSTEM, fired), start - 5 * MS);
        wheel.schedule(timer("b", EngineClock.SYSTEM, fired), start + 10 * MS);
        List<String> names = new ArrayList<>();
        for (long due : new long[] {start - 5 * MS, start + 10 * MS, start + 30 * MS}) {
            Fired next = fired.take();
            names.add(next.name);
            assertThat(next.at).isGreaterThanOrEqualTo(due);
        }
        assertThat(names).containsExactly("a", "b", "c");
        assertThat(threads).hasValue(1);
    }

    @Test
    void movesAndCancels() throws InterruptedException {
        wheel = wheel(time::get);
        BlockingQueue<Fired> fired = new LinkedBlockingQueue<>();
        Timer moved = timer("moved", time::get, fired);
        Timer cancelled = timer("cancelled", time::get, fired);
        wheel.schedule(moved, 5 * MS);
        wheel.schedule(cancelled, 6 * MS);
        wheel.schedule(moved, 50_000 * MS); // many revolutions ahead
        wheel.cancel(cancelled);
        wheel.schedule(timer("mark", time::get, fired), 20 * MS);
        time.set(49_990 * MS);
        assertThat(fired.take().name).isEqualTo("mark");
        assertThat(fired).isEmpty();
        time.set(50_002 * MS);
        assertThat(fired.take().name).isEqualTo("moved");
    }

    @Test
    void survivesATimerThatSchedulesItself() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(20);
        wheel.schedule(
                new Timer() {
                    @Override
                    protected void fire() {
                        rounds.countDown();
                        wheel.schedule(this, System.nanoTime() + MS);
                    }
                },
                System.nanoTime());
        assertThat(rounds.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void losesNoneOfMany() {
        wheel = wheel(time::get);
        Random random = new Random(Long.getLong("weft.test.seed", System.nanoTime()));
        AtomicInteger fired = new AtomicInteger();
        for (int i = 0; i < 10_000; i++) {
            wheel.schedule(
                    new Timer() {
                        @Override
                        protected void fire() {
                            fired.incrementAndGet();
                        }
                    },
                    random.nextLong(3_000 * MS));
        }
        for (int step = 0; step <= 31; step++) {
            time.set(step * 100 * MS);
        }
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAtomic(fired, org.hamcrest.Matchers.is(10_000));
    }

    @Test
    void endsItsThread() throws InterruptedException {
        AtomicInteger alive = new AtomicInteger();
        TimerWheel closing = new TimerWheel(
                EngineClock.SYSTEM,
                task -> Thread.ofPlatform().daemon().unstarted(() -> {
                    alive.incrementAndGet();
                    task.run();
                    alive.decrementAndGet();
                }));
        BlockingQueue<Fired> fired = new LinkedBlockingQueue<>();
        closing.schedule(timer("first", EngineClock.SYSTEM, fired), System.nanoTime());
        fired.take();
        closing.close(TimeUnit.SECONDS.toNanos(5));
        assertThat(alive).hasValue(0);
        closing.schedule(timer("late", EngineClock.SYSTEM, fired), System.nanoTime());
        assertThat(fired).isEmpty();
    }
}
