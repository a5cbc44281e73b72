package io.weft.engine.internal.transfer;

import io.weft.api.Transfer;

/**
 * The progress that a transfer needs, where somebody has to poll for it: a thread that awaits the transfer may do it itself, which
 * saves waking two threads. Whoever waits without polling says so, and is polled for. Safe from any thread; nothing here allocates.
 */
public interface AwaitedProgress {
    /**
     * Polls until the transfer is over, the time is, or nothing has happened for long. Not for virtual threads: one that loses
     * its carrier meanwhile would keep everybody from polling.
     *
     * @param awaited the transfer
     * @param deadlineNanos a value of {@link System#nanoTime}
     * @return false, at once, if somebody else polls
     */
    boolean drive(Transfer awaited, long deadlineNanos);

    /** Somebody waits who does not poll; {@link #unfollow} must come. */
    void follow();

    /** Ends a {@link #follow}. */
    void unfollow();
}
