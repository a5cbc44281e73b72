package io.weft.engine.internal.control.socket;

import io.weft.spi.EngineClock;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The I/O thread: readiness, tasks, time. Everything it calls runs on it and must not block. */
final class IoLoop {
    private static final System.Logger LOG = System.getLogger(IoLoop.class.getName());
    /** Longer than planned by this much means that this process was stopped or starved, not that peers were silent. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A key's attachment. */
    interface Ready {
        void ready(SelectionKey key);

        /** {@link #ready} threw: give the socket up. */
        void failed(RuntimeException defect);
    }

    /** Where the loop's owner gets its time. */
    interface Owner {
        /** This thread did not run for so long. */
        void stalled(long nanos, long now);

        /** Called when due, or earlier; returns when to call again at the latest. */
        long tick(long now);

        /** The loop has ended. */
        void ended();
    }

    private final Selector selector;
    private final EngineClock clock;
    private final Owner owner;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile long wakeAt;
    /** Something is due earlier than was known at the last tick. */
    private volatile boolean recheck;

    private volatile boolean stopped;
    private long lastLook;

    IoLoop(String name, EngineClock clock, Owner owner) throws IOException {
        this.clock = clock;
        this.owner = owner;
        selector = Selector.open();
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        lastLook = clock.nanos();
        wakeAt = lastLook;
        thread.start();
    }

    Selector selector() {
        return selector;
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Runs it soon on the I/O thread; forgotten when the loop has ended. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!isCurrentThread()) {
            selector.wakeup();
        }
    }

    /** Makes sure that a tick comes no later than that. */
    void wakeBefore(long nanos) {
        if (nanos - wakeAt < 0) {
            recheck = true;
            if (!isCurrentThread()) {
                selector.wakeup();
            }
        }
    }

    /** Takes cancelled keys off the selector, between two turns; other readiness shows again in the next. */
    void flushCancelled() {
        try {
            selector.selectNow(key -> {});
        } catch (IOException broken) {
            LOG.log(System.Logger.Level.DEBUG, "the selector failed; the next turn meets it again", broken);
        }
    }

    void stop() {
        stopped = true;
        selector.wakeup();
    }

    /** False if the thread still runs at the deadline. */
    boolean join(long deadlineNanos) throws InterruptedException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - clock.nanos());
        return isCurrentThread() || thread.join(Duration.ofMillis(Math.max(1, millis)));
    }

    private void run() {
        List<SelectionKey> ready = new ArrayList<>();
        try {
            while (!stopped) {
                select(ready);
                // It may have slept until then, but no longer.
                look(wakeAt - lastLook > 0 ? wakeAt : lastLook);
                for (SelectionKey key : ready) {
                    dispatch(key);
                }
                ready.clear();
                runTasks();
                tick();
            }
        } catch (IOException broken) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "WEFT-SELECTOR the selector of the control plane failed; all its sessions end",
                    broken);
        } finally {
            stopped = true;
            owner.ended();
            closeQuietly(selector);
        }
    }

    private void dispatch(SelectionKey key) {
        Ready owner = (Ready) key.attachment();
        try {
            if (key.isValid()) {
                owner.ready(key);
            }
        } catch (RuntimeException defect) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "WEFT-DEFECT a control connection made this engine fail; it is closed",
                    defect);
            owner.failed(defect);
        }
    }

    private void runTasks() {
        // No more than are there now, so that tasks which add tasks cannot hold the loop.
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException defect) {
                LOG.log(System.Logger.Level.ERROR, "WEFT-DEFECT a task of the control plane failed", defect);
            }
        }
    }

    /** Reads the clock. A gap anywhere, also in the middle of a turn, is one in which this thread heard nobody. */
    private long look(long expected) {
        long now = clock.nanos();
        if (now - expected > STALL_NANOS) {
            owner.stalled(now - expected, now);
        }
        lastLook = now;
        return now;
    }

    private void tick() {
        long now = look(lastLook);
        if (recheck || now - wakeAt >= 0) {
            recheck = false;
            // Until the new time is known any wakeBefore has to wake: what it waits for may have missed this tick.
            wakeAt = now + TimeUnit.DAYS.toNanos(1);
            wakeAt = owner.tick(now);
        }
    }

    private void select(List<SelectionKey> ready) throws IOException {
        long nanos = wakeAt - clock.nanos();
        if (recheck || nanos <= 0 || !tasks.isEmpty()) {
            selector.selectNow(ready::add);
        } else {
            selector.select(ready::add, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        }
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception alreadyUseless) {
            LOG.log(System.Logger.Level.DEBUG, "closing a socket failed", alreadyUseless);
        }
    }
}
