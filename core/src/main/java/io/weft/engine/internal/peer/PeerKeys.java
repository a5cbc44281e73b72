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
                new Fetch(region, link).begin();
            }
            missing = missing == null ? region : missing;
        }
        if (missing != null) {
            missing.waiting.addLast(t);
        }
        return missing == null;
    }

    /** A key of a transfer was refused: they may have died with a fence. Whoever posts to these regions next fetches them. */
    void refresh(PeerTransfer t, PeerLink link) {
        TransferPlan plan = t.plan;
        for (int run = 0; plan != null && run < plan.runs; run++) {
            RemoteMemory old = plan.remote(run).takeKey(link.backend().index());
            if (old != null) {
                peer.releaseLater(link, old);
            }
        }
    }

    /** One fetch, with what it needs to know whether its answer still counts. */
    private final class Fetch {
        private final RemoteRegion region;
        private final PeerLink link;
        private final OpenBackend backend;
        private final int keyEpoch;

        Fetch(RemoteRegion region, PeerLink link) {
            this.region = region;
            this.link = link;
            this.backend = link.backend();
            this.keyEpoch = link.keyEpoch();
        }

        void begin() {
            region.fetchBegins(backend.index());
            long deadline = peer.now() + peer.services().settings().connectNanos();
            ControlSession session = peer.session();
            if (session == null) {
                importKey(null, new byte[0]); // a plain peer: the backend asks it by itself
                return;
            }
            session.fetchKey(backend.name(), region.descriptor().id(), deadline)
                    .whenComplete((bytes, failure) -> peer.send(Mail.of(() -> {
                        if (failure != null) {
                            failed(unwrap(failure), false);
                        } else {
                            decode(bytes);
                        }
                    })));
        }

        private void decode(byte[] bytes) {
            if (peer.flow().isRefusing()) {
                region.fetchFailed(backend.index());
                return;
            }
            try {
                ExportedKey truth = ExportedKey.decode(bytes);
                importKey(truth, truth.key());
            } catch (WeftException malformed) {
                failed(malformed, false);
            }
        }

        private void importKey(@Nullable ExportedKey truth, byte[] key) {
            peer.asides()
                    .run(
                            () -> new Fetched(
                                    backend.guard()
                                            .call(
                                                    "import a key of " + region.descriptor(),
                                                    () -> backend.spi()
                                                            .importKey(peer.view(backend), region.descriptor(), key)),
                                    truth),
                            this::imported,
                            failure -> failed(failure, true));
        }

        /** A fence came between: the key died with it, whatever was answered. */
        private boolean isStale() {
            return !link.isUp() || link.keyEpoch() != keyEpoch;
        }

        private void imported(Fetched fetched) {
            if (isStale()) {
                region.fetchFailed(backend.index());
                peer.releaseLater(link, fetched.memory);
            } else {
                region.fetched(backend.index(), fetched.memory, fetched.truth);
            }
            region.waiting.drain(peer.flow()::advance);
        }

        private void failed(WeftException why, boolean importing) {
            region.fetchFailed(backend.index());
            boolean stale = isStale();
            region.waiting.drain(t -> {
                // The target may have fenced this engine by itself between export and import; that is tried again once.
                boolean again = importing && why.code() == ErrorCode.REMOTE_ACCESS && !t.keysRefreshed;
                if (stale || t.link != link) {
                    peer.flow().advance(t);
                } else if (again) {
                    t.keysRefreshed = true;
                    peer.flow().advance(t);
                } else {
                    peer.flow().fail(t, why.code(), String.valueOf(why.getMessage()), why.nativeCode());
                }
            });
        }
    }

    private WeftException unwrap(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof WeftException told
                ? told
                : new WeftException(ErrorCode.INTERNAL, "fetch a key from peer " + peer.key() + ": " + cause, cause);
    }
}
