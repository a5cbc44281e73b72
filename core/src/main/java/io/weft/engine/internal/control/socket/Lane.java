package io.weft.engine.internal.control.socket;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A bounded queue of work for one session, run in order on at most {@code width} threads of a shared executor, so that what one
 * peer makes busy is only its own lane. Starts shut. Safe from any thread; nothing here blocks.
 */
final class Lane {
    private static final System.Logger LOG = System.getLogger(Lane.class.getName());

    private final Executor executor;
    private final int width;
    private final int capacity;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private int running;
    private boolean open;
    private boolean ended;

    Lane(Executor executor, int width, int capacity) {
        this.executor = executor;
        this.width = width;
        this.capacity = capacity;
    }

    /** False if the lane is full or has ended. */
    synchronized boolean submit(Runnable work) {
        return queue.size() < capacity && force(work);
    }

    /** Beyond the bound, for work that this side made. False if the lane has ended. */
    synchronized boolean force(Runnable work) {
        if (ended) {
            return false;
        }
        queue.add(work);
        start();
        return true;
    }

    synchronized void open() {
        open = true;
        for (int i = Math.min(width, queue.size()); i > 0; i--) {
            start();
        }
    }

    /** Takes no more work; what is queued still runs. */
    synchronized void end() {
        ended = true;
    }

    /** Takes no more work and forgets what is queued. */
    synchronized void drop() {
        ended = true;
        queue.clear();
    }

    synchronized int size() {
        return queue.size();
    }

    /** A thread for each piece of work up to the width: one that is busy may be blocked for long. */
    private void start() {
        if (!open || running >= width) {
            return;
        }
        running++;
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException engineClosed) {
            running--;
            queue.clear();
        }
    }

    private void drain() {
        for (Runnable work = next(); work != null; work = next()) {
            try {
                work.run();
            } catch (RuntimeException defect) {
                LOG.log(System.Logger.Level.ERROR, "WEFT-DEFECT work for a control session threw", defect);
            }
        }
    }

    @SuppressWarnings("NullAway") // null is ArrayDeque's "empty"
    private synchronized Runnable next() {
        Runnable work = queue.poll();
        if (work == null) {
            running--;
        }
        return work;
    }
}
