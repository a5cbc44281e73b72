package io.weft.engine.internal.backend;

import io.weft.engine.internal.concurrent.Spinning;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.transfer.AwaitedProgress;
import io.weft.spi.Capabilities;
import io.weft.spi.EngineClock;
import io.weft.spi.ProgressModel;
import io.weft.spi.ProgressSource;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives one progress source: as long as there is work it polls, then it spins a little, yields, and at last waits, in the
 * source if that can block, else asleep for a time that grows. A post wakes it. While awaiting threads do the polling it rests
 * ({@link ProgressTurn}).
 */
final class ProgressThread {
    private static final int SPINS = Spinning.atMost(200);
    private static final int YIELDS = 20;
    private static final long BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SHORTEST_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** A target that has to be progressed must notice what peers send by itself. */
    private static final long LONGEST_SLEEP_TARGET_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SHORTEST_JOIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ProgressSource source;
    private final boolean blocks;
    private final long longestSleep;
    private final String name;
    private final ProgressTurn turn;
    private @Nullable Thread thread;
    private volatile boolean stopping;
    private volatile boolean waiting;

    ProgressThread(ProgressSource source, Capabilities capabilities, Guard guard) {
        this.source = source;
        this.name = source.name();
        this.blocks = capabilities.progress() == ProgressModel.POLLABLE;
        this.longestSleep = capabilities.targetNeedsProgress() ? LONGEST_SLEEP_TARGET_NANOS : LONGEST_SLEEP_NANOS;
        this.turn = new ProgressTurn(source, capabilities.targetNeedsProgress(), guard, this::nudge);
    }

    String name() {
        return name;
    }

    /** How awaiting threads take part. */
    AwaitedProgress awaited() {
        return turn;
    }

    void start(ThreadFactory threads) {
        thread = threads.newThread(this::run);
        turn.belongsTo(thread);
        thread.start();
    }

    void nudge() {
        if (waiting) {
            waiting = false;
            wake();
        }
    }

    private void wake() {
        if (blocks) {
            source.wakeup();
        } else {
            LockSupport.unpark(thread);
        }
    }

    void stop() {
        stopping = true;
        wake();
        turn.stop();
    }

    /** Waits for the thread's end, also in an interrupted thread: what follows frees what it uses. */
    boolean join(long timeoutNanos) {
        Thread joined = thread;
        if (joined == null || joined == Thread.currentThread()) {
            return true;
        }
        EngineClock clock = EngineClock.SYSTEM;
        return Waiting.until(
                clock,
                clock.nanos() + Math.max(timeoutNanos, SHORTEST_JOIN_NANOS),
                left -> joined.join(Duration.ofNanos(Math.max(left, 1))));
    }

    private void run() {
        while (!stopping) {
            if (turn.enter()) {
                poll();
                turn.leave();
            }
            turn.rest();
        }
        turn.end();
    }

    private void poll() {
        int idle = 0;
        while (!stopping && !turn.stepsAside()) {
            int events = turn.poll();
            if (events > 0) {
                idle = 0;
                continue;
            }
            idle = Math.min(idle + 1, Integer.MAX_VALUE - 1);
            if (events < 0 || !pause(idle)) {
                LockSupport.parkNanos(LONGEST_SLEEP_NANOS);
            }
        }
    }

    /** False if the backend threw. */
    private boolean pause(int idle) {
        if (idle <= SPINS) {
            Thread.onSpinWait();
        } else if (idle <= SPINS + YIELDS) {
            Thread.yield();
        } else {
            return block(idle - SPINS - YIELDS);
        }
        return true;
    }

    private boolean block(int times) {
        waiting = true;
        try {
            // Work posted before this thread was seen waiting has nobody to nudge for it.
            int events = turn.poll();
            if (events != 0 || stopping || turn.isAsked()) {
                return events >= 0;
            }
            if (blocks) {
                return turn.await(BLOCK_NANOS);
            }
            LockSupport.parkNanos(Math.min(longestSleep, SHORTEST_SLEEP_NANOS << Math.min(times, 20)));
            return true;
        } finally {
            waiting = false;
        }
    }
}
