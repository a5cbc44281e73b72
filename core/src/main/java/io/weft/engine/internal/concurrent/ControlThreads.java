package io.weft.engine.internal.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what may block: connecting, fencing, fetching keys, pinning. Platform threads, because backends block in native
 * calls, which would take the carriers of all virtual threads away; made when needed and gone soon after, since these calls
 * are seldom. Each peer has few of them running at a time, which bounds their number.
 */
public final class ControlThreads implements Executor {
    private final ThreadPoolExecutor pool;

    /**
     * Makes the executor; no thread starts yet.
     *
     * @param factory names the threads
     */
    public ControlThreads(ThreadFactory factory) {
        pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Takes nothing more and waits for what runs.
     *
     * @param timeoutNanos the bound
     * @return whether all threads are gone
     * @throws InterruptedException if interrupted
     */
    public boolean close(long timeoutNanos) throws InterruptedException {
        pool.shutdown();
        return pool.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
    }
}
