package io.weft.engine.internal.time;

import io.weft.spi.EngineClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A hashed timer wheel with one thread, which sleeps until the next timer is due and not at all before the first one is
 * scheduled. Ticks are about a millisecond; a timer never fires early. Safe from any thread.
 */
public final class TimerWheel {
    private static final int TICK_SHIFT = 20; // 2^20 ns = 1.05 ms
    private static final int SLOTS = 512;
    private static final long NEVER = Long.MAX_VALUE;
    /** A clock that is not the system's may jump ahead, and nobody wakes the thread then. */
    private static final long FOREIGN_CLOCK_PATIENCE = TimeUnit.MILLISECONDS.toNanos(2);

    private final EngineClock clock;
    private final long origin;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final @Nullable Timer[] slots = new Timer[SLOTS];
    private @Nullable Thread thread;
    private boolean closed;
    private int scheduled;
    /** All earlier ticks are done. */
    private long current;
    /** The tick that the thread sleeps towards. */
    private long sleepsUntil = NEVER;

    /**
     * Makes a wheel.
     *
     * @param clock tells the time
     * @param threads makes the one thread
     */
    public TimerWheel(EngineClock clock, ThreadFactory threads) {
        this.clock = clock;
        this.threads = threads;
        this.origin = clock.nanos();
    }

    /**
     * Schedules a timer, or moves it if it is scheduled.
     *
     * @param timer the timer
     * @param atNanos when, a value of the clock; at once if that is past
     */
    public void schedule(Timer timer, long atNanos) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            unlink(timer);
            // Rounded up, so that it is never early; a past time still needs a tick that is not done.
            long tick = Math.max(current, (atNanos - origin >> TICK_SHIFT) + 1);
            link(timer, tick);
            if (thread == null) {
                thread = threads.newThread(this::run);
                thread.start();
            } else if (tick < sleepsUntil) {
                earlier.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a timer back; it may be firing already.
     *
     * @param timer the timer, scheduled or not
     */
    public void cancel(Timer timer) {
        lock.lock();
        try {
            unlink(timer);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops all timers and ends the thread.
     *
     * @param timeoutNanos how long to wait for it
     * @throws InterruptedException if interrupted
     */
    public void close(long timeoutNanos) throws InterruptedException {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            earlier.signal();
        } finally {
            lock.unlock();
        }
        if (running != null && running != Thread.currentThread()) {
            running.join(TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + 1);
        }
    }

    private void run() {
        List<Timer> due = new ArrayList<>();
        while (awaitDue(due)) {
            for (Timer timer : due) {
                timer.fire();
            }
            due.clear();
        }
    }

    /** Sleeps until timers are due and takes them; false when closed. */
    private boolean awaitDue(List<Timer> due) {
        lock.lock();
        try {
            while (!closed) {
                long now = clock.nanos() - origin;
                collect(now >> TICK_SHIFT, due);
                if (!due.isEmpty()) {
                    return true;
                }
                sleepsUntil = nextTick();
                sleep(now);
                sleepsUntil = NEVER;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // awaitDue loops
    private void sleep(long now) {
        long nanos = sleepsUntil == NEVER ? NEVER : (sleepsUntil << TICK_SHIFT) - now;
        if (clock != EngineClock.SYSTEM) {
            nanos = Math.min(nanos, FOREIGN_CLOCK_PATIENCE);
        }
        try {
            if (nanos == NEVER) {
                earlier.await();
            } else {
                earlier.awaitNanos(nanos);
            }
        } catch (InterruptedException strayInterrupt) {
            // Nobody but close() ends this thread, and it sets a flag.
        }
    }

    private void collect(long nowTick, List<Timer> due) {
        // After a long sleep each slot is looked at once, not once for each tick that passed.
        long last = Math.min(nowTick, current + SLOTS - 1);
        for (long tick = current; tick <= last; tick++) {
            Timer timer = slots[slotOf(tick)];
            while (timer != null) {
                Timer following = timer.next;
                if (timer.tick <= nowTick) {
                    unlink(timer);
                    due.add(timer);
                }
                timer = following;
            }
        }
        current = Math.max(current, nowTick + 1);
    }

    private long nextTick() {
        long next = NEVER;
        for (long tick = current; scheduled > 0 && tick < current + SLOTS && tick < next; tick++) {
            for (Timer timer = slots[slotOf(tick)]; timer != null; timer = timer.next) {
                next = Math.min(next, timer.tick);
            }
        }
        return next;
    }

    private void link(Timer timer, long tick) {
        timer.tick = tick;
        timer.slot = slotOf(tick);
        timer.previous = null;
        timer.next = slots[timer.slot];
        if (timer.next != null) {
            timer.next.previous = timer;
        }
        slots[timer.slot] = timer;
        scheduled++;
    }

    private void unlink(Timer timer) {
        if (timer.slot == Timer.NOWHERE) {
            return;
        }
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            slots[timer.slot] = timer.next;
        }
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = Timer.NOWHERE;
        scheduled--;
    }

    private static int slotOf(long tick) {
        return (int) (tick & SLOTS - 1);
    }
}
