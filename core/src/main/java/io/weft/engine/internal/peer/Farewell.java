package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.TransferState;
import io.weft.engine.internal.control.ControlSession;
import io.weft.spi.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Ends what a peer has here: single regions that it takes back, or everything. In the turn. */
final class Farewell {
    private final EnginePeer peer;
    private final List<CompletableFuture<Void>> closed = new ArrayList<>();
    private final List<Revocation> revocations = new ArrayList<>();
    private final List<Retired> retired = new ArrayList<>();
    private boolean begun;
    private boolean sessionEnding;
    private String why = "";

    private record Retired(PeerLink link, RemoteMemory memory) {}

    private record Revocation(int regionId, long patience) {}

    Farewell(EnginePeer peer) {
        this.peer = peer;
    }

    /** Takes a handle that nothing is posted with any more, though something may be in flight with it. */
    void releaseLater(PeerLink link, RemoteMemory memory) {
        retired.add(new Retired(link, memory));
    }

    void regionRevoked(int regionId, long patience, CompletableFuture<Void> unused) {
        TransferFlow flow = peer.flow();
        List<RemoteRegion> revoked = new ArrayList<>();
        peer.remoteRegions().revoke(regionId, revoked::add);
        flow.endAll(
                t -> t.operations == 0 && uses(t, regionId),
                TransferState.FAILED,
                ErrorCode.REMOTE_ACCESS,
                "region #" + Integer.toUnsignedString(regionId) + " was deregistered by its owner");
        CompletableFuture<Void> none = new CompletableFuture<>();
        none.thenRun(() -> {
            revoked.forEach(this::retireKeys); // still in the turn
            release(each -> each.memory.descriptor().id() == regionId);
            unused.complete(null);
        });
        flow.whenNone(t -> uses(t, regionId), none);
        revocations.add(new Revocation(regionId, patience));
        peer.alarm().wakeAt(patience);
    }

    private void retireKeys(RemoteRegion region) {
        for (PeerLink link : peer.links()) {
            RemoteMemory memory = region.takeKey(link.backend().index());
            if (memory != null) {
                retired.add(new Retired(link, memory));
            }
        }
    }

    private static boolean uses(PeerTransfer t, int regionId) {
        return t.plan != null && t.plan.uses(regionId);
    }

    void wake(long now) {
        revocations.removeIf(revocation -> {
            if (now < revocation.patience) {
                peer.alarm().wakeAt(revocation.patience);
                return false;
            }
            peer.flow()
                    .endAll(
                            t -> uses(t, revocation.regionId),
                            TransferState.FAILED,
                            ErrorCode.REMOTE_ACCESS,
                            "region #" + Integer.toUnsignedString(revocation.regionId)
                                    + " was deregistered by its owner, which waits no longer");
            return true;
        });
    }

    void begin(TransferState end, ErrorCode code, String text, CompletableFuture<Void> future) {
        closed.add(future);
        why = text;
        begun = true;
        peer.staging().close();
        peer.flow().refuse(end, code, text);
    }

    /** After each round of work: the next step, if the one before is done. */
    void step() {
        if (!retired.isEmpty()) {
            release(each -> each.link.poster().inFlight() == 0);
        }
        if (!begun || !peer.flow().live().isEmpty()) {
            return;
        }
        peer.links().forEach(PeerLink::breakDown); // does nothing to those that are not up
        if (!peer.links().stream().allMatch(PeerLink::isDown)) {
            return;
        }
        ControlSession session = peer.session();
        if (session != null) {
            if (!sessionEnding) {
                sessionEnding = true;
                session.close(why);
            }
        } else if (!peer.sessions().isCutting()) {
            if (peer.asides().any()) {
                return; // backends are closed after this, and must not be called then
            }
            closed.forEach(future -> future.complete(null));
            closed.clear();
        }
    }

    private void release(Predicate<Retired> unused) {
        List<Retired> dead = retired.stream().filter(unused).toList();
        retired.removeAll(dead);
        if (!dead.isEmpty()) {
            peer.asides()
                    .run(
                            () -> {
                                dead.forEach(each -> each.link
                                        .backend()
                                        .guard()
                                        .run(
                                                "release a key",
                                                () -> each.link.backend().spi().releaseKey(each.memory)));
                                return true;
                            },
                            released -> {},
                            defect -> {});
        }
    }
}
