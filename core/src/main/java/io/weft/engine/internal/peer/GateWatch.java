package io.weft.engine.internal.peer;

import io.weft.api.ReadyEvent;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.concurrent.QueueThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks events whether sources may be read. One thread, started with the first gate; it asks often at first and ever more
 * seldom, and sleeps when there is nothing to ask. Safe from any thread.
 */
public final class GateWatch {
    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final QueueThread<PeerTransfer> arrivals;

    /**
     * Makes a watch without a thread.
     *
     * @param threads makes the one thread
     */
    public GateWatch(ThreadFactory threads) {
        this.arrivals = new QueueThread<>(threads, this::run);
    }

    void watch(PeerTransfer t) {
        // Once closed nothing needs its answer: the engine ends all transfers.
        arrivals.give(t);
    }

    /**
     * Ends the thread.
     *
     * @param timeoutNanos how long to wait for it
     * @throws InterruptedException if interrupted
     */
    public void close(long timeoutNanos) throws InterruptedException {
        arrivals.close(timeoutNanos);
    }

    private void run() {
        List<PeerTransfer> gated = new ArrayList<>();
        long pause = SHORTEST_NANOS;
        while (!arrivals.isClosed()) {
            for (PeerTransfer t = arrivals.poll(); t != null; t = arrivals.poll()) {
                gated.add(t);
                pause = SHORTEST_NANOS;
            }
            if (gated.removeIf(GateWatch::isDecided)) {
                pause = SHORTEST_NANOS;
            } else {
                pause = Math.min(pause * 2, LONGEST_NANOS);
            }
            if (gated.isEmpty()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    private static boolean isDecided(PeerTransfer t) {
        ReadyEvent event = t.options.readyWhen();
        if (event == null || t.state().isTerminal()) {
            return true;
        }
        try {
            if (!event.isReady()) {
                return false;
            }
            t.peer.send(Mail.of(() -> t.peer.flow().gateOpened(t)));
        } catch (Throwable thrown) {
            // Also an error of the virtual machine: the thread is needed for the other gates.
            t.peer.send(Mail.of(() -> t.peer.flow().gateFailed(t, thrown)));
        }
        return true;
    }
}
