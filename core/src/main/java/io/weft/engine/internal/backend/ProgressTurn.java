package io.weft.engine.internal.backend;

import io.weft.api.Transfer;
import io.weft.engine.internal.concurrent.Spinning;
import io.weft.engine.internal.transfer.AwaitedProgress;
import io.weft.spi.ProgressSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who polls a progress source: its own thread, or for a while a thread that awaits a transfer. One at a time, and nobody waits
 * for the turn.
 *
 * <p>An awaiting thread asks the source's thread to step aside, which it does if everybody who waits can poll. It then rests as
 * long as awaiting threads come one after the other, and is called back when one leaves while others wait.
 */
final class ProgressTurn implements AwaitedProgress {
    private static final Logger LOG = System.getLogger(ProgressTurn.class.getName());
    private static final int BUDGET = 64;
    private static final int FREE = 0;
    private static final int OWN_THREAD = 1;
    private static final int AWAITING_THREAD = 2;
    private static final int OVER = 3;

    private static final int SPINS = Spinning.atMost(100);
    /** Fruitless looks before the clock is read: it is a system call on some machines, and most waits are over by then. */
    private static final int UNTIMED = 4;
    /** Fruitful looks between two at the clock. */
    private static final int BUSY_UNTIMED = 64;

    private static final long LONGEST_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SHORTEST_PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(30);
    /** What a peer sends, and what nobody awaits, may lie that long when the last awaiting thread has left. */
    private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    /** The same, where the target makes no progress here and awaiting threads have come all the time: waking for each is dear. */
    private static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ProgressSource source;
    private final Guard guard;
    /** Gets the source's thread out of the source. */
    private final Runnable interruptWait;

    private final long longestRest;

    private final AtomicInteger holder = new AtomicInteger(FREE);
    private final AtomicInteger followers = new AtomicInteger();
    private volatile boolean asked;
    private volatile boolean called;
    private volatile boolean stopping;
    /** Times that an awaiting thread had the turn; written in the turn. */
    private volatile int drives;
    /** How long an awaiting thread polls in vain: long where that paid. In the turn. */
    private long patience = LONGEST_PATIENCE_NANOS;

    private volatile @Nullable Thread thread;

    /**
     * Makes a turn that nobody has.
     *
     * @param forPeers whether peers need it polled too, and not only what is posted here
     */
    ProgressTurn(ProgressSource source, boolean forPeers, Guard guard, Runnable interruptWait) {
        this.source = source;
        this.longestRest = forPeers ? REST_NANOS : LONGEST_REST_NANOS;
        this.guard = guard;
        this.interruptWait = interruptWait;
    }

    /** Polls once; -1 if the backend threw, which deadlines have to end. In the turn. */
    int poll() {
        try {
            return source.progress(BUDGET);
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable defect) {
            complain(defect);
            return -1;
        }
    }

    private void complain(Throwable defect) {
        // Going on is better than a dead backend.
        LOG.log(Level.ERROR, "WEFT-DEFECT " + guard.text("make progress on " + source.name(), defect), defect);
    }

    // ---- the source's own thread ----

    /** Blocks in the source until there may be work, or {@link ProgressSource#wakeup}; false if the backend threw. In the turn. */
    boolean await(long nanos) {
        try {
            source.await(nanos);
            return true;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable defect) {
            complain(defect);
            return false;
        }
    }

    /** Takes the turn for the source's own thread. */
    boolean enter() {
        return holder.compareAndSet(FREE, OWN_THREAD);
    }

    void leave() {
        holder.set(FREE);
    }

    /** Whether somebody wants the turn, so that this is no time to block. */
    boolean isAsked() {
        return asked;
    }

    /** Whether the source's thread should leave; the request is over with the answer. */
    boolean stepsAside() {
        if (!asked) {
            return false;
        }
        asked = false;
        return followers.get() == 0;
    }

    /** Sleeps while awaiting threads do the work. The source's own thread, out of the turn. */
    void rest() {
        int seen;
        long nanos = REST_NANOS;
        do {
            seen = drives;
            boolean needed = holder.get() == FREE && followers.get() > 0;
            if (!needed && !called && !stopping) {
                LockSupport.parkNanos(this, nanos);
                nanos = Math.min(nanos * 2, longestRest);
            }
            if (needed || called) {
                break;
            }
        } while (!stopping && (holder.get() == AWAITING_THREAD || drives != seen));
        called = false;
    }

    /** Takes the turn for good, so that nobody polls any more. The source's own thread, the last thing it does. */
    void end() {
        while (!holder.compareAndSet(FREE, OVER)) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    void belongsTo(Thread owner) {
        thread = owner;
    }

    /** From now on whoever polls leaves. */
    void stop() {
        stopping = true;
        call();
    }

    private void call() {
        called = true;
        LockSupport.unpark(thread);
    }

    // ---- threads that await transfers ----

    @Override
    public boolean drive(Transfer awaited, long deadlineNanos) {
        int now = holder.get();
        if (now == OWN_THREAD && !asked && followers.get() == 0) {
            asked = true;
            interruptWait.run();
        }
        if (now != FREE || !holder.compareAndSet(FREE, AWAITING_THREAD)) {
            return false;
        }
        boolean over = false;
        try {
            over = pollFor(awaited, deadlineNanos);
        } finally {
            drives++;
            holder.set(FREE);
            if (!over || followers.get() > 0) {
                call();
            }
        }
        return true;
    }

    private boolean pollFor(Transfer awaited, long deadlineNanos) {
        long since = 0;
        boolean timed = false;
        int idle = 0;
        int busy = 0;
        while (!awaited.state().isTerminal()) {
            int events = poll();
            if (events < 0) {
                return giveUp();
            }
            if (events > 0) {
                timed = false;
                idle = 0;
                busy++;
            } else {
                idle++;
            }
            if (idle > UNTIMED || busy == BUSY_UNTIMED) {
                long now = System.nanoTime();
                busy = 0;
                since = timed ? since : now;
                timed = true;
                if (now - since > patience) {
                    return giveUp();
                }
                if (now - deadlineNanos >= 0) {
                    return false;
                }
            }
            if (stopping || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (events == 0) {
                pause(idle);
            }
        }
        patience = Math.min(patience * 2, LONGEST_PATIENCE_NANOS);
        return true;
    }

    private boolean giveUp() {
        patience = Math.max(patience / 2, SHORTEST_PATIENCE_NANOS);
        return false;
    }

    private static void pause(int idle) {
        if (idle <= SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    @Override
    public void follow() {
        followers.incrementAndGet();
        if (holder.get() == FREE) {
            call();
        }
    }

    @Override
    public void unfollow() {
        followers.decrementAndGet();
    }
}
