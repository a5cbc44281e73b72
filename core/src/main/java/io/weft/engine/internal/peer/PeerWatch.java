package io.weft.engine.internal.peer;

import io.weft.engine.internal.concurrent.Mail;
import io.weft.telemetry.PeerView;
import io.weft.telemetry.TransferView;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** How others look at a peer: they ask, and whoever has the turn answers. Safe from any thread; never blocks. */
public final class PeerWatch {
    private static final long NOT_ASKED = Long.MIN_VALUE;

    private final EnginePeer peer;
    private volatile long stallAsked = NOT_ASKED;
    private volatile boolean stuckTold;

    PeerWatch(EnginePeer peer) {
        this.peer = peer;
    }

    /**
     * Describes the peer and its oldest transfers. A control thread enters the turn for it, never the caller's.
     *
     * @param most transfers to describe
     * @return completes when somebody had the turn
     */
    public CompletableFuture<PeerView> look(int most) {
        CompletableFuture<PeerView> answer = new CompletableFuture<>();
        try {
            peer.services()
                    .control()
                    .execute(() -> peer.send(Mail.of(() -> answer.complete(new PeerLook(peer).view(most)))));
        } catch (RejectedExecutionException closed) {
            answer.complete(glance());
        }
        return answer;
    }

    /**
     * What is known without the turn.
     *
     * @return a view that says that nobody answered
     */
    public PeerView glance() {
        return PeerLook.unanswered(peer);
    }

    /**
     * Looks for transfers that newly make no progress.
     *
     * @param patienceNanos for how long
     * @param mostShown transfers to describe
     * @param found called in the turn if there are any; must not block
     * @return whether an earlier look is not done for that long, because a thread is in the turn and does not come back; told once
     */
    public boolean findStalls(long patienceNanos, int mostShown, Stalls found) {
        long asked = stallAsked;
        if (asked != NOT_ASKED) {
            boolean tell = !stuckTold && peer.now() - asked >= patienceNanos;
            stuckTold |= tell;
            return tell;
        }
        if (peer.admission().transfers() == 0) {
            return false;
        }
        stallAsked = peer.now();
        peer.send(Mail.of(() -> {
            stallAsked = NOT_ASKED;
            stuckTold = false;
            PeerLook look = new PeerLook(peer);
            PeerLook.StallFound stalls = look.newStalls(patienceNanos);
            if (stalls != null) {
                found.found(peer, stalls.transfers(), stalls.worst(), look.view(mostShown));
            }
        }));
        return false;
    }

    /** Takes what {@link #findStalls} finds. */
    @FunctionalInterface
    public interface Stalls {
        /**
         * Some transfers newly make no progress.
         *
         * @param peer their peer
         * @param transfers how many
         * @param worst the one that moved least lately
         * @param picture the peer
         */
        void found(EnginePeer peer, int transfers, TransferView worst, PeerView picture);
    }
}
