package io.weft.engine.internal.peer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All transfers of a peer that are not terminal, and the earliest of their deadlines. In the turn. */
final class LiveTransfers {
    private @Nullable PeerTransfer first;
    private int size;
    /** No deadline is earlier; a deadline may be later when its transfer has ended. */
    private long earliest = Long.MAX_VALUE;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** {@link Long#MAX_VALUE} if nothing is to be watched. */
    long earliest() {
        return earliest;
    }

    void add(PeerTransfer t) {
        t.liveNext = first;
        if (first != null) {
            first.livePrevious = t;
        }
        first = t;
        size++;
        earliest = Math.min(earliest, t.deadlineNanos);
    }

    void remove(PeerTransfer t) {
        if (t.livePrevious == null) {
            first = t.liveNext;
        } else {
            t.livePrevious.liveNext = t.liveNext;
        }
        if (t.liveNext != null) {
            t.liveNext.livePrevious = t.livePrevious;
        }
        t.livePrevious = null;
        t.liveNext = null;
        size--;
    }

    /** Visits all; a visitor may end the transfer it gets, no other. */
    void forEach(Consumer<PeerTransfer> visitor) {
        PeerTransfer t = first;
        while (t != null) {
            PeerTransfer following = t.liveNext;
            visitor.accept(t);
            t = following;
        }
    }

    /** Starts a new search for the earliest deadline; {@link #note} tells it of each that is still to come. */
    void forgetEarliest() {
        earliest = Long.MAX_VALUE;
    }

    void note(long deadline) {
        earliest = Math.min(earliest, deadline);
    }
}
