package io.weft.engine.internal.peer;

import io.weft.api.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Transfers that have something to post on a link: by class, first come first served inside one. Each eighth turn goes to the
 * lowest waiting class, so that none starves. In the turn.
 */
final class LinkQueue {
    private static final int LOWEST_EVERY = 8;

    private final TransferList[] classes;
    private int turns;

    LinkQueue() {
        classes = new TransferList[Priority.values().length];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = new TransferList("its turn on the link");
        }
    }

    void addLast(PeerTransfer t) {
        classes[t.options.priority().ordinal()].addLast(t);
    }

    /** For one that was here before and had to pause. */
    void addFirst(PeerTransfer t) {
        classes[t.options.priority().ordinal()].addFirst(t);
    }

    /** Whose turn it is; null if nobody waits. It stays in the queue. */
    @Nullable
    PeerTransfer next() {
        boolean lowest = ++turns % LOWEST_EVERY == 0;
        for (int i = 0; i < classes.length; i++) {
            PeerTransfer t = classes[lowest ? classes.length - 1 - i : i].first();
            if (t != null) {
                return t;
            }
        }
        return null;
    }

    boolean isEmpty() {
        for (TransferList each : classes) {
            if (!each.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Empties the queue into a list, higher classes first. */
    void moveTo(TransferList list) {
        for (TransferList each : classes) {
            each.drain(list::addLast);
        }
    }
}
