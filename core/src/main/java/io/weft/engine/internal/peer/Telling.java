package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.InboundEnd;
import java.util.concurrent.TimeUnit;

/**
 * Tells targets how transfers ended, if they asked for it: a success before the transfer succeeds, a failure after nothing of
 * it can arrive any more (rules NOT-1, NOT-2, IN-1). In the turn.
 */
final class Telling {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final EnginePeer peer;
    /** All bytes are in place, and the session's queue was full. */
    private final TransferList full =
            new TransferList("room in the control session's queue, to tell the target that all bytes are there");

    Telling(EnginePeer peer) {
        this.peer = peer;
    }

    /** All bytes of a transfer are in place. */
    void conclude(PeerTransfer t) {
        if (!t.tells() || t.isPreparation() || peer.isPlain() && !announces(t)) {
            peer.flow().succeed(t);
            return;
        }
        if (peer.isPlain()) {
            announce(t);
            return;
        }
        ControlSession session = peer.session();
        if (session == null) {
            peer.flow()
                    .fail(
                            t,
                            ErrorCode.PEER_LOST,
                            "its bytes are in place, but the control session ended before the target could be told",
                            0);
        } else if (session.tellEnd(end(t, 0, ""))) {
            peer.flow().succeed(t);
        } else {
            full.addLast(t);
            peer.alarm().wakeAt(peer.now() + RETRY_NANOS);
        }
    }

    /** Plain peers have no session, so that only the backend can tell them, and only those that expect it. */
    private boolean announces(PeerTransfer t) {
        PeerLink link = t.link;
        return link != null
                && !t.announced
                && peer.services().settings().plainNotifications()
                && link.backend().capabilities().announces();
    }

    private void announce(PeerTransfer t) {
        PeerLink link = t.link;
        if (link != null) {
            t.announced = true;
            link.poster().announce(t);
            if (!link.isUp() && t.place == null) {
                link.replay(t);
            }
        }
    }

    void retry(long now) {
        full.drain(this::conclude);
    }

    void tellFailure(PeerTransfer t) {
        ControlSession session = peer.session();
        ErrorCode code = t.outcomeCode;
        if (t.tells() && session != null && code != null) {
            session.tellEnd(end(t, code.number(), t.outcomeText)); // best effort: a failed transfer waits for nothing
        }
    }

    private static InboundEnd end(PeerTransfer t, int code, String text) {
        return new InboundEnd(t.id(), code, text, t.options.notifies() ? t.options.notificationPayload() : null);
    }
}
