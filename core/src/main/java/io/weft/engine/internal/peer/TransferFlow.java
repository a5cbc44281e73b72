package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.RemoteQuiescence;
import io.weft.api.RetryClass;
import io.weft.api.TransferState;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.route.Decision;
import io.weft.telemetry.jfr.TransferEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes a peer's transfers from the call to the end. In the turn.
 *
 * <p>A transfer advances through what it needs: session, route, link, keys, source ready; then it is in its link's queue. It ends
 * when its outcome is decided and nothing of it can touch memory any more: nothing posted, nothing lost with a link whose
 * fence is not over, and for PEER_LOST the peer cut off as an initiator too.
 */
final class TransferFlow {
    /** Links that fail under a transfer before it does. */
    private static final int MOST_STRIKES = 3;

    private final EnginePeer peer;
    private final PeerServices services;
    private final LiveTransfers live = new LiveTransfers();
    private final TransferList gated = new TransferList("its readyWhen event");
    private final Telling telling;
    private final DeviceFlush flush;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean someEnded;
    /** Set once the peer is removed or the engine closed. */
    private @Nullable Refusal refusal;

    private record Waiter(Predicate<PeerTransfer> blocks, CompletableFuture<Void> clear) {}

    private record Refusal(TransferState end, ErrorCode code, String text) {}

    TransferFlow(EnginePeer peer) {
        this.peer = peer;
        this.services = peer.services();
        this.telling = new Telling(peer);
        this.flush = new DeviceFlush(peer);
    }

    LiveTransfers live() {
        return live;
    }

    // ---- the way in ----

    void accept(PeerTransfer t) {
        live.add(t);
        Refusal no = refusal;
        if (no != null) {
            withdraw(t, no.end, no.code, no.text, 0);
            return;
        }
        TransferPlan plan = t.plan;
        for (int run = 0; plan != null && run < plan.runs; run++) {
            LocalRegion local = plan.local(run);
            if (local.refusesTransfers()) {
                fail(t, ErrorCode.CLOSED, "the local " + local + " is deregistered", 0);
                return;
            }
        }
        advance(t);
    }

    /** Goes on with a transfer that waits for nothing now. */
    void advance(PeerTransfer t) {
        if (t.isWithdrawn()) {
            return;
        }
        TransferPlan plan = t.plan;
        if (plan == null) {
            throw new IllegalStateException(t + " is over");
        }
        if (!peer.canConnect()) {
            peer.sessions().await(t);
            return;
        }
        if (plan.runs == 0) {
            telling.conclude(t);
            return;
        }
        PeerLink link = t.link;
        if (link == null) {
            Decision decision = peer.routes().decide(t, plan);
            if (decision.backend().isEmpty()) {
                fail(t, peer.routes().refusalCode(), "no route: " + decision.refusals(), 0);
                return;
            }
            if (decision.staged()) {
                startStaged(t, plan);
                return;
            }
            link = peer.link(decision.backend().get());
            t.link = link;
        }
        if (!link.isUp()) {
            link.await(t);
        } else if (peer.keys().areReady(t, plan, link)) {
            start(t, link);
        }
    }

    /** The bytes take links as parts of their own; the transfer itself has none. */
    private void startStaged(PeerTransfer t, TransferPlan plan) {
        if (t.isPreparation()) {
            succeed(t);
        } else if (!t.gateOpen) {
            gated.addLast(t);
            services.gates().watch(t);
        } else {
            peer.staging().begin(t, plan);
        }
    }

    /** A part of a staged transfer is over. */
    void chunkEnded(PeerTransfer t, StagedTransfer staged) {
        if (t.isWithdrawn()) {
            tryFinish(t);
        } else if (staged.busy == 0 && !staged.hasMore()) {
            telling.conclude(t);
        }
    }

    private void start(PeerTransfer t, PeerLink link) {
        if (t.isPreparation()) {
            succeed(t);
        } else if (t.gateOpen) {
            link.poster().enqueue(t);
        } else {
            gated.addLast(t);
            services.gates().watch(t);
        }
    }

    void gateOpened(PeerTransfer t) {
        if (t.place == gated) {
            gated.remove(t);
            t.gateOpen = true;
            advance(t);
        }
    }

    void gateFailed(PeerTransfer t, Throwable thrown) {
        fail(t, ErrorCode.DEVICE, "its readyWhen event threw " + thrown + "; the source was not read", 0);
    }

    /** The backend of its link is in quarantine: looks for another one. */
    void reroute(PeerTransfer t) {
        PeerLink old = t.link;
        if (old != null) {
            old.poster().recycleAgain(t);
        }
        t.restart();
        t.link = null;
        advance(t);
    }

    // ---- what completions say ----

    /** A piece arrived. */
    void moved(PeerTransfer t) {
        if (t.outstanding > 0 || t.hasMore()) {
            t.progressNanos = peer.now();
        }
        if (t.isWithdrawn()) {
            tryFinish(t);
        } else if (t.hasMore()) {
            linkOf(t).poster().resume(t);
        } else if (t.outstanding == 0 && t.lost == 0) {
            arrived(t);
        }
    }

    private void arrived(PeerTransfer t) {
        if (flush.isNeeded(t)) {
            flush.begin(t);
        } else {
            telling.conclude(t);
        }
    }

    /** Device memory that was written is visible. */
    void flushed(PeerTransfer t) {
        telling.conclude(t);
    }

    /** A piece ended with an error. */
    void pieceFailed(PeerTransfer t, Piece piece) {
        PeerLink link = piece.link();
        ErrorCode code = ErrorCode.ofNumber(piece.code());
        boolean mendable = code.retry() == RetryClass.RECONNECT || code == ErrorCode.CANCELLED;
        boolean staleKey = code == ErrorCode.REMOTE_ACCESS && !piece.freshKeys && !peer.isPlain();
        if (t.isWithdrawn() || !(mendable || staleKey)) {
            String text = describe(link, code, piece.nativeCode());
            if (link.isBreaking()) {
                t.lost++;
            }
            long nativeCode = piece.nativeCode();
            link.poster().recycle(piece);
            fail(t, code, text, nativeCode);
            tryFinish(t);
        } else if (link.isBreaking()) {
            pieceLost(t, piece);
        } else if (staleKey) {
            link.poster().again(t, piece);
            if (!t.keysRefreshed) {
                t.keysRefreshed = true;
                peer.keys().refresh(t, link);
            }
            if (t.place == null) {
                advance(t); // from a queue it comes to its keys by itself
            }
        } else if (link.isUp()) {
            // The operation is over on both sides, but what made it fail is not mended by posting it again here.
            String text = describe(link, code, piece.nativeCode());
            link.breakDown(code, piece.nativeCode(), text);
            pieceLost(t, piece);
        } else {
            // A straggler of a link that is long replaced.
            link.poster().again(t, piece);
            resumeStraggler(t, link);
        }
    }

    private static void resumeStraggler(PeerTransfer t, PeerLink link) {
        if (t.place == null) {
            link.await(t);
        }
    }

    /** A piece went down with its link: it may arrive until the fence is over. */
    void pieceLost(PeerTransfer t, Piece piece) {
        t.lost++;
        if (t.isWithdrawn()) {
            piece.link().poster().recycle(piece);
        } else {
            piece.link().poster().again(t, piece);
        }
    }

    private static String describe(PeerLink link, ErrorCode code, long nativeCode) {
        String base = "backend " + link.backend().name() + " reported " + code;
        return nativeCode == 0
                ? base
                : base + " ("
                        + link.backend()
                                .guard()
                                .call(
                                        "describe a native code",
                                        () -> link.backend().spi().describeNative(nativeCode))
                        + ")";
    }

    boolean hasLost(PeerLink link) {
        boolean[] found = new boolean[1];
        live.forEach(t -> found[0] |= t.link == link && t.lost > 0);
        return found[0];
    }

    /** A broken link is quiet on both sides, as far as that can be known. */
    void linkIsQuiet(PeerLink link, RemoteQuiescence remote) {
        live.forEach(t -> {
            if (t.link == link) {
                settle(t, link, remote);
            }
        });
    }

    private void settle(PeerTransfer t, PeerLink link, RemoteQuiescence remote) {
        boolean hadLost = t.lost > 0;
        t.lost = 0;
        if (hadLost) {
            t.remote = remote;
        }
        if (t.isWithdrawn()) {
            tryFinish(t);
            return;
        }
        ErrorCode cause = link.cause();
        if (hadLost && (peer.isPlain() || cause != null && ++t.strikes >= MOST_STRIKES)) {
            fail(
                    t,
                    cause == null ? ErrorCode.PEER_LOST : cause,
                    "the link broke under it: "
                            + (cause == null ? "another transfer had to be stopped" : link.causeText()),
                    link.causeNative());
            return;
        }
        if (hadLost) {
            t.replays++;
        }
        if (t.place == null && t.hasMore()) {
            link.replay(t);
        } else if (t.place == null && t.outstanding == 0) {
            arrived(t); // its last pieces completed while the link broke
        }
    }

    // ---- the way out ----

    void cancel(PeerTransfer t) {
        withdraw(t, TransferState.CANCELLED, ErrorCode.CANCELLED, "cancelled by the caller", 0);
    }

    void fail(PeerTransfer t, ErrorCode code, String text, long nativeCode) {
        withdraw(t, TransferState.FAILED, code, text, nativeCode);
    }

    /** Decides how a transfer ends, unless that is decided: takes back what is not posted, and has the rest finish or fenced. */
    void withdraw(PeerTransfer t, TransferState end, ErrorCode code, String why, long nativeCode) {
        if (t.isWithdrawn() || t.state().isTerminal()) {
            return;
        }
        t.outcome = end;
        t.outcomeCode = code;
        t.outcomeText = Texts.failure(t, why, code);
        t.outcomeNative = nativeCode;
        if (t.place != null) {
            t.place.remove(t);
        }
        PeerLink link = t.link;
        if (link != null) {
            link.poster().recycleAgain(t);
        }
        if (t.outstanding > 0) {
            t.graceEnd = peer.now() + grace(linkOf(t));
            peer.alarm().wakeAt(t.graceEnd);
            linkOf(t).poster().tryCancel(t);
        }
        if (t.staged != null && t.staged.busy > 0) {
            peer.staging().abort(t);
        }
        tryFinish(t);
    }

    private long grace(PeerLink link) {
        return Math.min(services.settings().graceNanos(), link.backend().quiesceNanos() / 4);
    }

    private static PeerLink linkOf(PeerTransfer t) {
        PeerLink link = t.link;
        if (link == null) {
            throw new IllegalStateException(t + " has operations and no link");
        }
        return link;
    }

    void succeed(PeerTransfer t) {
        t.outcome = TransferState.SUCCEEDED;
        t.remote = RemoteQuiescence.QUIESCED;
        finish(t);
    }

    private void tryFinish(PeerTransfer t) {
        boolean held = t.outcomeCode == ErrorCode.PEER_LOST && peer.sessions().isCutting();
        boolean staging = t.staged != null && t.staged.busy > 0;
        if (t.isWithdrawn() && t.plan != null && t.outstanding == 0 && t.lost == 0 && !held && !staging) {
            finish(t);
        }
    }

    private void finish(PeerTransfer t) {
        TransferPlan plan = t.plan;
        if (plan == null) {
            return;
        }
        live.remove(t);
        t.endNanos = peer.now();
        t.plan = null;
        services.plans().giveBack(plan);
        StagedChunk chunk = t.chunk;
        if (chunk != null) {
            someEnded = true;
            peer.send(Mail.of(() -> chunk.carried(t)));
            return;
        }
        peer.admission().giveBack(t.segmentsHeld);
        if (t.outcome != TransferState.SUCCEEDED) {
            telling.tellFailure(t);
        }
        if (!t.isPreparation() && t.outcome != null) {
            services.tally().end(t.outcome, t.outcomeCode, t.bytes);
            record(t, t.outcome);
            if (t.outcome == TransferState.FAILED && t.outcomeCode != null) {
                Failures.add(
                        services.control(), services.engineKey(), peer.key(), t.id(), t.outcomeCode, t.outcomeText);
            }
        }
        someEnded = true;
        t.publish();
    }

    private void record(PeerTransfer t, TransferState end) {
        if (TransferEvent.isRecorded(end == TransferState.SUCCEEDED)) {
            ErrorCode code = t.outcomeCode;
            long firstPost = t.firstPostNanos == 0 ? t.endNanos : t.firstPostNanos;
            TransferEvent.ended(
                    services.engineKey(),
                    peer.key(),
                    t.id(),
                    t.kind.name(),
                    end.name(),
                    code == null ? "" : code.name(),
                    t.path.backend(),
                    t.bytes,
                    t.segmentsPlanned,
                    t.operations,
                    t.replays,
                    firstPost - t.startNanos,
                    t.endNanos - firstPost);
        }
    }

    // ---- from outside ----

    /** Everything ends with PEER_LOST once the peer is cut off; the flow goes on for what comes later. */
    void peerLost(String why) {
        live.forEach(t -> fail(t, ErrorCode.PEER_LOST, why, 0));
    }

    /** The peer is cut off: what was held back ends. */
    void peerIsCut() {
        live.forEach(this::tryFinish);
    }

    /** Everything ends, now and from now on. */
    void refuse(TransferState end, ErrorCode code, String text) {
        if (refusal == null) {
            refusal = new Refusal(end, code, text);
        }
        live.forEach(t -> withdraw(t, end, code, text, 0));
    }

    boolean isRefusing() {
        return refusal != null;
    }

    /** Ends what a predicate picks. */
    void endAll(Predicate<PeerTransfer> which, TransferState end, ErrorCode code, String why) {
        live.forEach(t -> {
            if (t.plan != null && which.test(t)) {
                withdraw(t, end, code, why, 0);
            }
        });
    }

    /** Completes when no live transfer is picked by the predicate. */
    void whenNone(Predicate<PeerTransfer> blocks, CompletableFuture<Void> clear) {
        waiters.add(new Waiter(blocks, clear));
        someEnded = true;
    }

    /** After mail and posts: tells those that wait for ends. */
    void afterWork() {
        if (someEnded && !waiters.isEmpty()) {
            waiters.removeIf(waiter -> {
                boolean[] blocked = new boolean[1];
                live.forEach(t -> blocked[0] |= t.plan != null && waiter.blocks.test(t));
                // Its dependents are a blocked thread or another peer's mail, nothing that would run for long here.
                return !blocked[0] && waiter.clear.complete(null);
            });
        }
        someEnded = false;
    }

    /** Time has passed: ends what is expired, breaks links whose grace is over. */
    void wake(long now) {
        live.forgetEarliest();
        live.forEach(t -> {
            if (!t.isWithdrawn()) {
                if (t.deadlineNanos <= now) {
                    fail(t, ErrorCode.DEADLINE_EXCEEDED, Texts.expired(t, now), 0);
                } else {
                    live.note(t.deadlineNanos);
                }
            }
            if (t.isWithdrawn() && t.plan != null && t.outstanding > 0) {
                if (t.graceEnd <= now) {
                    t.graceEnd = Long.MAX_VALUE;
                    linkOf(t).breakDown();
                } else if (t.graceEnd != Long.MAX_VALUE) {
                    peer.alarm().wakeAt(t.graceEnd);
                }
            }
        });
        telling.retry(now);
    }
}
