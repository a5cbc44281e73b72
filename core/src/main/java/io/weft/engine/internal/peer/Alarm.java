package io.weft.engine.internal.peer;

import io.weft.engine.internal.time.Timer;
import java.util.concurrent.RejectedExecutionException;

/** Brings a peer to look at the time. In the turn, but for {@link #fire}. */
final class Alarm extends Timer {
    private static final long NEVER = Long.MAX_VALUE;

    private final EnginePeer peer;
    private volatile boolean rung;
    private long wanted = NEVER;
    private long set = NEVER;

    Alarm(EnginePeer peer) {
        this.peer = peer;
    }

    @Override
    protected void fire() {
        rung = true;
        // Not here: whoever has the turn may be in a backend, and other peers' deadlines wait behind this thread.
        try {
            peer.services().control().execute(peer::signal);
        } catch (RejectedExecutionException closing) {
            peer.signal();
        }
    }

    /** Has the peer look at the time then. */
    void wakeAt(long at) {
        wanted = Math.min(wanted, at);
    }

    /** Whether it is time to look; who looks says anew when to look next. */
    boolean hasRung() {
        if (!rung) {
            return false;
        }
        rung = false;
        set = NEVER;
        wanted = NEVER;
        return true;
    }

    /** Sets it to what is wanted, or to something else if that is earlier. */
    void set(long other) {
        long earliest = Math.min(other, wanted);
        if (earliest < set) {
            set = earliest;
            peer.services().timers().schedule(this, earliest);
        }
    }
}
