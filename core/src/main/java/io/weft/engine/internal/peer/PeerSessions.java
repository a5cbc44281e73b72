package io.weft.engine.internal.peer;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.control.ControlSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The control session with a peer: dialled when a transfer needs it, or taken when the peer dials. In the turn.
 *
 * <p>When it ends, the peer is lost: nothing is posted any more, links are fenced, the peer is cut off as an initiator, and
 * only then do transfers end with PEER_LOST and does anybody see the state LOST (rule DL-5).
 */
final class PeerSessions {
    private static final Logger LOG = System.getLogger(PeerSessions.class.getName());
    /** A peer that refuses is not dialled more often. */
    private static final long REDIAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final EnginePeer peer;
    private final TransferList waiting = new TransferList("a control session with the peer");
    private @Nullable ControlSession session;
    private boolean dialling;
    private boolean cutting;
    private boolean suspect;
    private boolean everLost;
    private long redialAt = Long.MIN_VALUE;
    private boolean redialPlanned;

    PeerSessions(EnginePeer peer) {
        this.peer = peer;
    }

    @Nullable
    ControlSession session() {
        return session;
    }

    boolean isReady() {
        return session != null && !cutting;
    }

    boolean isCutting() {
        return cutting;
    }

    boolean isSuspect() {
        return suspect;
    }

    PeerState state() {
        if (peer.isPlain()) {
            return peer.links().stream().anyMatch(PeerLink::isUp) ? PeerState.UP : PeerState.KNOWN;
        }
        if (session != null) {
            return suspect ? PeerState.SUSPECT : PeerState.UP;
        }
        if (cutting) {
            return PeerState.SUSPECT; // LOST is told when the peer is cut off
        }
        return dialling ? PeerState.CONNECTING : everLost ? PeerState.LOST : PeerState.KNOWN;
    }

    void await(PeerTransfer t) {
        waiting.addLast(t);
        dial();
    }

    private void dial() {
        if (dialling || cutting || session != null || waiting.isEmpty()) {
            return;
        }
        EngineDescriptor descriptor = peer.descriptor();
        if (descriptor == null) {
            waiting.drain(t -> peer.flow()
                    .fail(
                            t,
                            ErrorCode.UNREACHABLE,
                            "the peer connected by itself, is gone, and was never added, so where it listens is not"
                                    + " known; add it by its descriptor",
                            0));
            return;
        }
        if (peer.now() < redialAt) {
            redialPlanned = true;
            peer.alarm().wakeAt(redialAt);
            return;
        }
        dialling = true;
        peer.publishState();
        long deadline = peer.now() + peer.services().settings().connectNanos();
        peer.asides().run(() -> peer.services().plane().connect(descriptor, deadline), this::dialled, this::refused);
    }

    private void dialled(ControlSession fresh) {
        dialling = false;
        opened(fresh);
    }

    private void refused(WeftException why) {
        dialling = false;
        redialAt = peer.now() + REDIAL_NANOS;
        if (session == null) {
            peer.publishState();
            waiting.drain(t ->
                    peer.flow().fail(t, why.code(), "connecting to it failed: " + why.getMessage(), why.nativeCode()));
        }
    }

    /** A session is there, whoever dialled. */
    void opened(ControlSession fresh) {
        if (session == fresh || peer.flow().isRefusing()) {
            return;
        }
        session = fresh;
        peer.staging().sessionBegan();
        suspect = fresh.state() == PeerState.SUSPECT;
        peer.publishState();
        peer.routesChanged();
        resume();
    }

    private void resume() {
        if (isReady()) {
            waiting.drain(peer.flow()::advance);
        } else {
            dial();
        }
    }

    void liveness(ControlSession of) {
        if (of == session) {
            suspect = of.state() == PeerState.SUSPECT;
            peer.publishState();
        }
    }

    /** Ends the session from here, if there is one. */
    void expel(String why) {
        ControlSession ended = session;
        if (ended != null) {
            ended.close(why);
            closed(ended, ErrorCode.PEER_LOST, "closed by this engine: " + why);
        }
    }

    void closed(ControlSession ended, ErrorCode code, String text) {
        if (ended != session) {
            return;
        }
        session = null;
        peer.staging().sessionEnded();
        suspect = false;
        cutting = true;
        peer.publishState();
        peer.routesChanged();
        peer.flow().peerLost("the control session ended with " + code + " (" + text + ")");
        peer.links().forEach(PeerLink::breakDown);
        peer.asides()
                .run(
                        () -> {
                            cutOffEverywhere();
                            return true;
                        },
                        done -> cut(),
                        defect -> cut());
    }

    private void cutOffEverywhere() {
        for (OpenBackend backend : peer.services().backends()) {
            if (!peer.access().cutOff(backend, peer.now() + backend.quiesceNanos())) {
                LOG.log(
                        Level.ERROR,
                        "WEFT-NOT-FENCED backend " + backend.name() + " could not cut off peer " + peer.key()
                                + ", which is lost; what it posted may still reach memory here");
            }
        }
    }

    private void cut() {
        cutting = false;
        everLost = true;
        peer.publishState();
        peer.flow().peerIsCut();
        peer.staging().close();
        peer.gone();
        resume();
    }

    void wake(long now) {
        if (redialPlanned && now >= redialAt) {
            redialPlanned = false;
            dial();
        } else if (redialPlanned) {
            peer.alarm().wakeAt(redialAt);
        }
    }
}
