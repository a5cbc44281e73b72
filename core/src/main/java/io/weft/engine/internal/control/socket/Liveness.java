package io.weft.engine.internal.control.socket;

import io.weft.api.PeerState;

/**
 * Judges one peer by when it was last heard, with the engine's monotonic clock (rule TIME-1). Pure; confined to one thread.
 */
final class Liveness {
    private final long suspectNanos;
    private final long lostNanos;
    private long lastHeard;

    Liveness(long suspectNanos, long lostNanos, long now) {
        this.suspectNanos = suspectNanos;
        this.lostNanos = lostNanos;
        lastHeard = now;
    }

    void heard(long now) {
        lastHeard = now;
    }

    /**
     * Takes out time in which this side could not hear: it was stopped, or did not read because its own queue was full. The peer
     * may have spoken meanwhile; it gets the same chance to be heard as before.
     */
    void deaf(long nanos, long now) {
        lastHeard += Math.min(nanos, silence(now));
    }

    long silence(long now) {
        return Math.max(0, now - lastHeard);
    }

    PeerState judge(long now) {
        long silence = silence(now);
        if (silence >= lostNanos) {
            return PeerState.LOST;
        }
        return silence >= suspectNanos ? PeerState.SUSPECT : PeerState.UP;
    }
}
