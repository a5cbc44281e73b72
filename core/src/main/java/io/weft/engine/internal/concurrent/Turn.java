package io.weft.engine.internal.concurrent;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A serialised place of work without a thread of its own: whoever brings work while nobody is in takes the turn, everybody
 * else leaves a {@link Mail} and goes on. What only the turn touches needs no synchronisation, and since no lock is held,
 * the turn may call into backends that call back.
 *
 * <p>The thread that has the turn may be a caller's. It gives the turn to the executor when {@link #work} says that it has
 * done enough, so that nobody works for others without bound.
 */
public abstract class Turn {
    private static final Logger LOG = System.getLogger(Turn.class.getName());
    private static final VarHandle INBOX;
    private static final VarHandle SIGNALS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(Turn.class, "inbox", Mail.class);
            SIGNALS = lookup.findVarHandle(Turn.class, "signals", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Executor relief;
    /** Newest mail first; taken whole, so there is no ABA problem. */
    @SuppressWarnings("unused") // through INBOX
    private volatile @Nullable Mail inbox;
    /** 0 when nobody has the turn, else how often somebody signalled since the holder last looked. */
    @SuppressWarnings("unused") // through SIGNALS
    private volatile int signals;

    /**
     * Makes a turn.
     *
     * @param relief goes on where a caller's thread has done enough
     */
    protected Turn(Executor relief) {
        this.relief = relief;
    }

    /**
     * Does what is to be done after all mail was delivered. In the turn.
     *
     * @param relieved whether this thread has nothing else to do, and may go on for long
     * @return true if there is more to do, but for another thread
     */
    protected abstract boolean work(boolean relieved);

    /**
     * Leaves a mail and takes the turn if nobody has it. Any thread.
     *
     * @param mail in no inbox now
     */
    public final void send(Mail mail) {
        leave(mail);
        signal();
    }

    /**
     * Leaves a mail without taking the turn; {@link #signal} must follow.
     *
     * @param mail in no inbox now
     */
    public final void leave(Mail mail) {
        Mail newest;
        do {
            newest = inbox;
            mail.next = newest;
        } while (!INBOX.compareAndSet(this, newest, mail));
    }

    /** Has {@link #work} called, by this thread if nobody has the turn. */
    public final void signal() {
        if ((int) SIGNALS.getAndAdd(this, 1) == 0) {
            hold(false);
        }
    }

    /** Runs until nobody signalled meanwhile. The turn is this thread's. */
    private void hold(boolean relieved) {
        // An interrupt is meant for the caller's own waiting; it would close a backend's channel under it.
        boolean interrupted = Thread.interrupted();
        boolean over = false;
        try {
            int seen = signals;
            while (seen != 0) {
                deliverAll();
                boolean more = work(relieved);
                if (more && handOver()) {
                    break;
                }
                if (!more) {
                    seen = (int) SIGNALS.getAndAdd(this, -seen) - seen;
                }
            }
            over = true;
        } finally {
            if (!over) {
                handOver(); // an Error goes to this caller; the turn must not be lost with it
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean handOver() {
        try {
            relief.execute(() -> hold(true));
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }

    private void deliverAll() {
        Mail newest = (Mail) INBOX.getAndSet(this, null);
        Mail oldest = null;
        while (newest != null) {
            Mail before = newest.next;
            newest.next = oldest;
            oldest = newest;
            newest = before;
        }
        while (oldest != null) {
            Mail mail = oldest;
            oldest = mail.next;
            mail.next = null; // it may be sent again while it is delivered
            deliver(mail);
        }
    }

    private void deliver(Mail mail) {
        try {
            mail.deliver();
        } catch (RuntimeException defect) {
            // Everything that backends may throw was caught where they were called.
            LOG.log(Level.ERROR, "WEFT-DEFECT defect in the engine: " + mail + " failed in " + this, defect);
        }
    }
}
