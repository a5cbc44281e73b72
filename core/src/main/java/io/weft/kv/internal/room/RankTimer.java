package io.weft.kv.internal.room;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one thread of a rank that does things later. What is due must be short and must not block. */
public final class RankTimer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(RankTimer.class.getName());

    private final ScheduledThreadPoolExecutor executor;

    /**
     * Starts the thread.
     *
     * @param name its name
     */
    public RankTimer(String name) {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(name).factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Repeats a task until closed; one that throws is logged and repeated.
     *
     * @param nanos pause between two runs
     * @param task what to do
     */
    public void every(long nanos, Runnable task) {
        executor.scheduleWithFixedDelay(() -> guarded(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Does something once.
     *
     * @param millis after this time
     * @param task what to do; forgotten if the timer is closed before
     */
    public void after(long millis, Runnable task) {
        try {
            executor.schedule(() -> guarded(task), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.log(Level.DEBUG, "not done, because the rank is closing");
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException defect) {
            // A repeated task that throws would silently never run again.
            LOG.log(Level.ERROR, "WEFT-DEFECT defect in a timed task", defect);
        }
    }
}
