package io.weft.engine.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread with a queue of work, started with the first piece. What it runs polls the queue and parks when there is nothing to
 * do; whoever gives it a piece, or closes it, wakes it. Safe from any thread.
 *
 * @param <T> a piece of work
 */
public final class QueueThread<T> {
    private final ThreadFactory threads;
    private final Runnable loop;
    private final Queue<T> arrivals = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * Makes it without a thread.
     *
     * @param threads makes the one thread
     * @param loop what that runs; ends when {@link #isClosed}
     */
    public QueueThread(ThreadFactory threads, Runnable loop) {
        this.threads = threads;
        this.loop = loop;
    }

    /**
     * Gives it a piece of work.
     *
     * @param piece for the queue
     * @return false, with nothing taken, once it is closed
     */
    public boolean give(T piece) {
        Thread running;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (thread == null) {
                thread = threads.newThread(loop);
                thread.start();
            }
            arrivals.add(piece);
            running = thread;
        }
        LockSupport.unpark(running);
        return true;
    }

    /**
     * Takes a piece; for its own thread.
     *
     * @return the oldest one, or null if there is none now
     */
    public @Nullable T poll() {
        return arrivals.poll();
    }

    /**
     * Whether nothing waits to be taken.
     *
     * @return true if so, at the moment
     */
    public boolean isEmpty() {
        return arrivals.isEmpty();
    }

    /**
     * Whether it takes no more. Read it before the queue to miss nothing that was given earlier.
     *
     * @return true for good
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Takes no more, wakes the thread and waits for its end.
     *
     * @param timeoutNanos how long to wait for it
     * @throws InterruptedException if interrupted
     */
    public void close(long timeoutNanos) throws InterruptedException {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
        }
        if (running != null) {
            LockSupport.unpark(running);
            running.join(TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + 1);
        }
    }
}
