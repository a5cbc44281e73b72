package io.weft.engine.internal.control.socket;

/**
 * When to say that this side lives. Beside its own beat a side answers the peer's, if its own last one is old enough, and then
 * lets the peer lead: both travel together, and an engine with many peers, which is slower to follow, sends to all of them in one
 * go and hears from all of them soon after. An idle engine so wakes a few times per beat and not once for each peer. Pure;
 * confined to the I/O thread.
 */
final class Heartbeats {
    /** With so many sessions a side does not become less willing to follow any more. */
    private static final int MANY = 16;

    private final long intervalNanos;
    private long lastSent;
    private boolean follows;

    Heartbeats(long intervalNanos, long now) {
        this.intervalNanos = intervalNanos;
        lastSent = now;
    }

    /** Whether to beat by itself. A follower gives its leader a quarter more time. */
    boolean isDue(long now) {
        long age = now - lastSent;
        if (age < (follows ? intervalNanos + intervalNanos / 4 : intervalNanos - intervalNanos / 8)) {
            return false;
        }
        follows = false;
        lastSent = now;
        return true;
    }

    /** Whether to answer the peer's beat: from a quarter of the interval on with one session, three quarters with many. */
    boolean isAnswered(long now, int sessions) {
        long threshold = intervalNanos / 4 + intervalNanos / 2 * Math.min(sessions, MANY) / MANY;
        if (now - lastSent < threshold) {
            return false;
        }
        follows = true;
        lastSent = now;
        return true;
    }
}
