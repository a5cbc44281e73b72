package io.weft.engine.internal.peer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Transfers that wait for the same thing. A transfer is in at most one such list and leaves it in O(1). In the turn. */
final class TransferList {
    private final String what;
    private @Nullable PeerTransfer first;
    private @Nullable PeerTransfer last;

    /**
     * Makes an empty list.
     *
     * @param what what its transfers wait for, for people
     */
    TransferList(String what) {
        this.what = what;
    }

    String what() {
        return what;
    }

    boolean isEmpty() {
        return first == null;
    }

    @Nullable
    PeerTransfer first() {
        return first;
    }

    void addLast(PeerTransfer t) {
        enter(t);
        t.previous = last;
        if (last == null) {
            first = t;
        } else {
            last.next = t;
        }
        last = t;
    }

    void addFirst(PeerTransfer t) {
        enter(t);
        t.next = first;
        if (first == null) {
            last = t;
        } else {
            first.previous = t;
        }
        first = t;
    }

    private void enter(PeerTransfer t) {
        if (t.place != null) {
            throw new IllegalStateException(t + " waits somewhere else already");
        }
        t.place = this;
    }

    void remove(PeerTransfer t) {
        if (t.previous == null) {
            first = t.next;
        } else {
            t.previous.next = t.next;
        }
        if (t.next == null) {
            last = t.previous;
        } else {
            t.next.previous = t.previous;
        }
        t.previous = null;
        t.next = null;
        t.place = null;
    }

    /** Empties the list, then hands each over; those that come back meanwhile are not visited again. */
    void drain(Consumer<PeerTransfer> visitor) {
        PeerTransfer t = first;
        first = null;
        last = null;
        for (PeerTransfer each = t; each != null; each = each.next) {
            each.place = null;
        }
        while (t != null) {
            PeerTransfer following = t.next;
            t.next = null;
            t.previous = null;
            visitor.accept(t);
            t = following;
        }
    }
}
