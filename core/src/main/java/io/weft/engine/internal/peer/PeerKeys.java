package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.memory.ExportedKey;
import io.weft.spi.RemoteMemory;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Fetches the keys of a peer's regions when they are first needed. In the turn. */
final class PeerKeys {
    private final EnginePeer peer;

    PeerKeys(EnginePeer peer) {
        this.peer = peer;
    }

    private record Fetched(RemoteMemory memory, @Nullable ExportedKey truth) {}

    /**
     * Whether all remote regions of a transfer can be used over a link. If not, asks for what is missing and has the transfer
     * wait for the first of it, or fails it.
     */
    boolean areReady(PeerTransfer t, TransferPlan plan, PeerLink link) {
        OpenBackend backend = link.backend();
        RemoteRegion missing = null;
        for (int run = 0; run < plan.runs; run++) {
            RemoteRegion region = plan.remote(run);
            if (region.isRevoked()) {
                peer.flow().fail(t, ErrorCode.REMOTE_ACCESS, region.descriptor() + " was deregistered by its owner", 0);
                return false;
            }
            RemoteRegion.Readiness readiness = region.readiness(backend.index());
            if (readiness == RemoteRegion.Readiness.READY) {
                String refusal = t.isPreparation() ? "" : region.refusal(t.kind);
                if (!refusal.isEmpty()) {
                    peer.flow().fail(t, ErrorCode.REMOTE_ACCESS, region.descriptor() + ": " + refusal, 0);
                    return false;
                }
                continue;
            }
            if (readiness == RemoteRegion.Readiness.NEEDS_KEY) {
                fetch(region, backend);
            }
            missing = missing == null ? region : missing;
        }
        if (missing != null) {
            missing.waiting.addLast(t);
        }
        return missing == null;
    }

    /** The keys of a piece were refused: they may have died with a fence. */
    void refresh(Piece piece, PeerLink link) {
        for (int run = 0; run < piece.runCount(); run++) {
            // The handle is released with the link's other keys or with the peer; operations may still be using it.
            RemoteMemory old = piece.remoteRegion(run).takeKey(link.backend().index());
            if (old != null) {
                peer.releaseLater(link.backend(), old);
            }
        }
    }

    private void fetch(RemoteRegion region, OpenBackend backend) {
        region.fetchBegins(backend.index());
        long deadline = peer.now() + peer.services().settings().connectNanos();
        ControlSession session = peer.session();
        if (session == null) {
            importKey(region, backend, null, new byte[0]); // a plain peer: the backend asks it by itself
            return;
        }
        session.fetchKey(backend.name(), region.descriptor().id(), deadline).whenComplete((bytes, failure) -> {
            if (failure != null) {
                peer.send(Mail.of(() -> failed(region, backend, unwrap(failure))));
            } else {
                peer.send(Mail.of(() -> decode(region, backend, bytes)));
            }
        });
    }

    private void decode(RemoteRegion region, OpenBackend backend, byte[] bytes) {
        try {
            ExportedKey truth = ExportedKey.decode(bytes);
            importKey(region, backend, truth, truth.key());
        } catch (WeftException malformed) {
            failed(region, backend, malformed);
        }
    }

    private void importKey(RemoteRegion region, OpenBackend backend, @Nullable ExportedKey truth, byte[] key) {
        peer.aside(
                () -> new Fetched(
                        backend.guard()
                                .call(
                                        "import a key of " + region.descriptor(),
                                        () -> backend.spi().importKey(peer.view(backend), region.descriptor(), key)),
                        truth),
                fetched -> {
                    region.fetched(backend.index(), fetched.memory, fetched.truth);
                    region.waiting.drain(peer.flow()::advance);
                },
                failure -> failed(region, backend, failure));
    }

    private void failed(RemoteRegion region, OpenBackend backend, WeftException why) {
        region.fetchFailed(backend.index());
        region.waiting.drain(t -> {
            if (t.link != null && t.link.backend() != backend) {
                peer.flow().advance(t);
            } else {
                peer.flow().fail(t, why.code(), String.valueOf(why.getMessage()), why.nativeCode());
            }
        });
    }

    private WeftException unwrap(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof WeftException told
                ? told
                : new WeftException(ErrorCode.INTERNAL, "fetch a key from peer " + peer.key() + ": " + cause, cause);
    }
}
