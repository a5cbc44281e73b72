package io.weft.engine.internal.backend;

import io.weft.api.Receipt;
import io.weft.api.TransferState;
import io.weft.engine.internal.transfer.AwaitedProgress;
import io.weft.engine.internal.transfer.Callbacks;
import io.weft.engine.internal.transfer.TransferStatus;
import io.weft.spi.Capabilities;
import io.weft.spi.ProgressModel;
import io.weft.spi.ProgressSource;
import io.weft.spi.Visibility;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A source whose transfers end when it is polled, that watches who does, beside the thread that drives it. */
final class PolledQueue implements ProgressSource {
    private static final Callbacks CALLBACKS = new Callbacks(Runnable::run, Runnable::run);

    final ProgressThread thread;
    /** Who polled; identities only. */
    final Set<Thread> pollers = ConcurrentHashMap.newKeySet();

    final AtomicInteger collisions = new AtomicInteger();
    final AtomicLong polls = new AtomicLong();
    /** While set nothing ends. */
    final AtomicBoolean held = new AtomicBoolean();
    /** Makes so many polls throw. */
    final AtomicInteger failures = new AtomicInteger();
    /** While set, a poll does not come back. */
    final AtomicBoolean stuck = new AtomicBoolean();

    private final ConcurrentLinkedQueue<Awaited> arriving = new ConcurrentLinkedQueue<>();
    /** Unsynchronised on purpose: the turn has to order its users. */
    private final ArrayDeque<Awaited> posted = new ArrayDeque<>();

    private final AtomicBoolean inside = new AtomicBoolean();
    private final Semaphore wakeups = new Semaphore(0);
    private final AtomicLong ids = new AtomicLong();

    final class Awaited extends TransferStatus {
        Awaited() {
            super(ids.incrementAndGet(), CALLBACKS);
        }

        void succeed() {
            end(TransferState.SUCCEEDED, null, "", 0);
        }

        @Override
        protected AwaitedProgress progress() {
            return thread.awaited();
        }

        @Override
        protected void deliver() {}

        @Override
        protected void askToCancel() {}

        @Override
        protected Receipt makeReceipt() {
            return Receipt.builder().build();
        }
    }

    PolledQueue(ProgressModel model) {
        thread = new ProgressThread(
                this,
                Capabilities.builder()
                        .supportsHost(Visibility.COMPLETION)
                        .progress(model, true)
                        .build(),
                new Guard("polled"));
        thread.start(Thread.ofPlatform().name("own").factory());
    }

    Awaited post() {
        Awaited transfer = new Awaited();
        arriving.add(transfer);
        thread.nudge();
        return transfer;
    }

    @Override
    public String name() {
        return "polled";
    }

    private void enter() {
        pollers.add(Thread.currentThread());
        if (!inside.compareAndSet(false, true)) {
            collisions.incrementAndGet();
        }
    }

    @Override
    public int progress(int budget) {
        enter();
        try {
            polls.incrementAndGet();
            while (stuck.get()) {
                Thread.onSpinWait();
            }
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a defect that the test made");
            }
            return endSome(budget);
        } finally {
            inside.set(false);
        }
    }

    private int endSome(int budget) {
        for (Awaited next = arriving.poll(); next != null; next = arriving.poll()) {
            posted.add(next);
        }
        int ended = 0;
        while (!held.get() && ended < budget && !posted.isEmpty()) {
            posted.remove().succeed();
            ended++;
        }
        return ended;
    }

    @Override
    public void await(long timeoutNanos) {
        enter();
        try {
            if (wakeups.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
                wakeups.drainPermits();
            }
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        } finally {
            inside.set(false);
        }
    }

    @Override
    public void wakeup() {
        wakeups.release();
    }
}
