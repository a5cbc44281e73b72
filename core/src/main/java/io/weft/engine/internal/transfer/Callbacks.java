package io.weft.engine.internal.transfer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Runs users' code (rule CB-1): on the engine's executor, never under a lock, and whatever it throws is logged. */
public final class Callbacks {
    private static final Logger LOG = System.getLogger(Callbacks.class.getName());

    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Executor executor;
    private final Executor fallback;
    private final AtomicLong lastReport = new AtomicLong(System.nanoTime() - REPORT_NANOS - 1);
    private final AtomicLong pending = new AtomicLong();
    private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

    /**
     * Makes the runner.
     *
     * @param executor the engine's or the application's
     * @param fallback used when the executor refuses, so that a callback runs all the same
     */
    public Callbacks(Executor executor, Executor fallback) {
        this.executor = executor;
        this.fallback = fallback;
    }

    /**
     * Runs a user's code soon.
     *
     * @param what for the log
     * @param code the code
     */
    public void run(String what, Runnable code) {
        pending.incrementAndGet();
        Call call = new Call(what, code);
        try {
            executor.execute(call);
        } catch (Throwable refused) {
            // An application's executor may throw anything, also when it cannot start a thread; transfers go on.
            if (!(refused instanceof RejectedExecutionException)) {
                report("the executor of callbacks", refused);
            }
            runElsewhere(call);
        }
    }

    private void runElsewhere(Call call) {
        try {
            fallback.execute(call);
        } catch (RejectedExecutionException closed) {
            // The engine is gone; a callback registered this late runs where it was registered (rule ST-2).
            call.run();
        }
    }

    /** Runs once, however often an executor runs it. */
    private final class Call implements Runnable {
        private final String what;
        private final Runnable code;
        private final AtomicBoolean begun = new AtomicBoolean();

        Call(String what, Runnable code) {
            this.what = what;
            this.code = code;
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            boolean nested = inside.get();
            inside.set(true);
            try {
                code.run();
            } catch (VirtualMachineError fatal) {
                throw fatal;
            } catch (Throwable thrown) {
                report(what, thrown);
            } finally {
                if (!nested) {
                    inside.remove();
                }
                pending.decrementAndGet();
            }
        }
    }

    /** A callback that always throws must not fill the disk. */
    private void report(String what, Throwable thrown) {
        long now = System.nanoTime();
        long last = lastReport.get();
        if (now - last > REPORT_NANOS && lastReport.compareAndSet(last, now)) {
            LOG.log(
                    Level.WARNING,
                    "WEFT-CALLBACK " + what
                            + " threw; transfers and other callbacks are not affected (further ones are not logged for "
                            + TimeUnit.NANOSECONDS.toSeconds(REPORT_NANOS) + " s)",
                    thrown);
        }
    }

    /**
     * Whether the calling thread runs a callback now.
     *
     * @return true inside one
     */
    public boolean isInside() {
        return inside.get();
    }

    /**
     * Callbacks that were handed over and have not ended.
     *
     * @return a count
     */
    public long pending() {
        return pending.get();
    }
}
