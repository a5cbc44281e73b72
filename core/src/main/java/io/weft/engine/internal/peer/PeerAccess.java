package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.memory.KeyHolder;
import io.weft.telemetry.jfr.FenceEvent;
import java.util.concurrent.CompletableFuture;

/** A peer as an initiator: which memory here it may reach, and how that is taken back. Safe from any thread. */
public final class PeerAccess implements KeyHolder {
    private final EnginePeer peer;

    PeerAccess(EnginePeer peer) {
        this.peer = peer;
    }

    @Override
    public String key() {
        return peer.key();
    }

    @Override
    public CompletableFuture<Void> revoke(int regionId, long deadlineNanos) {
        ControlSession session = peer.sharedSession();
        return session == null
                ? CompletableFuture.failedFuture(new WeftException(
                        ErrorCode.PEER_LOST, "revoke a region at peer " + key() + ": its control session is gone"))
                : session.revoke(regionId, deadlineNanos);
    }

    /** Blocks up to the deadline. */
    @Override
    public boolean cutOff(OpenBackend backend, long deadlineNanos) {
        long since = peer.now();
        try {
            boolean cut = backend.guard()
                            .call(
                                    "cut off peer " + key(),
                                    () -> backend.spi().fencePeer(peer.view(backend), deadlineNanos))
                    & peer.inboundStaging().quiesce(deadlineNanos);
            FenceEvent.done(peer.services().engineKey(), key(), backend.name(), "target", cut, peer.now() - since);
            if (cut) {
                peer.services().regions().forget(this, backend);
            }
            return cut;
        } catch (WeftException refused) {
            if (backend.isClosedBy(deadlineNanos)) {
                return true; // a closed backend lets nobody in
            }
            System.getLogger(PeerAccess.class.getName())
                    .log(System.Logger.Level.ERROR, "WEFT-NOT-FENCED " + refused.getMessage());
            return false;
        }
    }

    @Override
    public String toString() {
        return "peer " + key();
    }
}
