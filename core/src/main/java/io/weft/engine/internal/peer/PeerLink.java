package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.RemoteQuiescence;
import io.weft.api.RetryClass;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.control.ControlSession;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.RemoteMemory;
import io.weft.telemetry.LinkView;
import io.weft.telemetry.jfr.FenceEvent;
import io.weft.telemetry.jfr.LinkEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way to a peer over one backend, over the life of several links: connected when wanted, broken when a posted operation
 * has to be stopped or the fabric fails, rebuilt for those that wait. In the turn.
 *
 * <p>Breaking takes two steps. First the link is fenced here, and every operation is complete or taken back. Then, if any was
 * lost, the target is asked to cut this engine off, after which nothing that was posted can arrive. Only then do withdrawn
 * transfers end, and the others are replayed.
 */
final class PeerLink {
    private enum State {
        DOWN,
        CONNECTING,
        UP,
        FENCING_HERE,
        FENCING_THERE
    }

    private static final Logger LOG = System.getLogger(PeerLink.class.getName());
    private static final int MOST_CONNECTS = 5;
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** A backend that overstays its own bound by this is given up. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EnginePeer peer;
    private final OpenBackend backend;
    private final Poster poster;
    /** Transfers that need the link up. */
    private final TransferList waiting = new TransferList("a link to the peer");

    private State state = State.DOWN;
    private @Nullable Link link;
    private @Nullable LinkListener listener;
    private boolean downWhileConnecting;
    private PathInfo path;
    /** Grows with each break, so that late answers find nobody. */
    private int epoch;

    private int keyEpoch;
    private long stepEnd = Long.MAX_VALUE;
    private long reconnectAt = Long.MAX_VALUE;
    private int failedConnects;
    private long firstConnectAt;
    /** Why the link broke by itself; null if core broke it. */
    private @Nullable ErrorCode cause;

    private long causeNative;
    private String causeText = "";
    private long quarantineEnd;
    private String quarantine = "";
    private ErrorCode quarantineCode = ErrorCode.UNSUPPORTED;

    PeerLink(EnginePeer peer, OpenBackend backend) {
        this.peer = peer;
        this.backend = backend;
        this.path = new PathInfo(backend.name(), List.of(), 1);
        this.poster = new Poster(this, peer, backend);
    }

    EnginePeer peer() {
        return peer;
    }

    OpenBackend backend() {
        return backend;
    }

    Poster poster() {
        return poster;
    }

    PathInfo path() {
        return path;
    }

    boolean isUp() {
        return state == State.UP;
    }

    boolean isDown() {
        return state == State.DOWN;
    }

    /** Operations that end now with an error were lost, and what is at the target is not known. */
    boolean isBreaking() {
        return state == State.FENCING_HERE || state == State.FENCING_THERE;
    }

    Optional<String> quarantine(long now) {
        return now < quarantineEnd ? Optional.of(quarantine) : Optional.empty();
    }

    ErrorCode quarantineCode() {
        return quarantineCode;
    }

    /** {@link Long#MAX_VALUE} if it is not in quarantine. */
    long quarantineEnd(long now) {
        return now < quarantineEnd ? quarantineEnd : Long.MAX_VALUE;
    }

    LinkView view(long now) {
        return new LinkView(
                backend.name(),
                state.name(),
                path.lanes(),
                path.devices(),
                poster.inFlight(),
                poster.inFlightBytes(),
                poster.isBlocked(),
                cause == null ? "" : cause + ": " + causeText,
                now < quarantineEnd ? quarantine : "");
    }

    String stateName() {
        return state.name();
    }

    /** Has the link brought up for a transfer. */
    void await(PeerTransfer t) {
        if (waiting.isEmpty()) {
            failedConnects = 0; // whoever waited for earlier attempts is gone
        }
        waiting.addLast(t);
        connect();
    }

    private void enter(State next, String why) {
        state = next;
        LinkEvent.changed(peer.services().engineKey(), peer.key(), backend.name(), next.name(), why);
    }

    private void connect() {
        if (state != State.DOWN || waiting.isEmpty() || reconnectAt != Long.MAX_VALUE) {
            return;
        }
        if (!peer.canConnect()) {
            waiting.drain(peer.flow()::advance); // back to waiting for a session
            return;
        }
        enter(State.CONNECTING, "");
        downWhileConnecting = false;
        if (failedConnects == 0) {
            firstConnectAt = peer.now();
        }
        LinkListener events = new LinkListener(this);
        listener = events;
        ControlSession under = peer.session();
        long deadline = peer.now() + peer.services().settings().connectNanos();
        peer.asides()
                .run(
                        () -> backend.guard()
                                .call(
                                        "connect to peer " + peer.key(),
                                        () -> backend.spi().connect(peer.view(backend), events, deadline)),
                        opened -> up(opened, events),
                        why -> connectFailed(why, under));
    }

    private void up(Link opened, LinkListener events) {
        Limits limits;
        LinkSnapshot snapshot;
        try {
            limits = backend.guard().call("tell a link's limits", () -> opened.limits(backend.limits()));
            snapshot = backend.guard().call("tell a link's lanes", opened::snapshot);
        } catch (WeftException defect) {
            link = opened;
            enter(State.UP, "");
            breakDown(defect.code(), 0, String.valueOf(defect.getMessage()));
            return;
        }
        link = opened;
        enter(State.UP, "");
        failedConnects = 0;
        path = new PathInfo(backend.name(), snapshot.devices(), snapshot.lanes());
        poster.open(opened, events, limits);
        peer.publishState();
        if (downWhileConnecting) {
            breakDown(ErrorCode.PEER_LOST, 0, "the link went down while it came up");
        } else {
            waiting.drain(peer.flow()::advance);
        }
    }

    private void connectFailed(WeftException why, @Nullable ControlSession under) {
        enter(State.DOWN, String.valueOf(why.getMessage()));
        listener = null;
        if (peer.session() != under) {
            // Without its session a peer has no address, which tells nothing of the backend. Who wanted this link
            // has ended with PEER_LOST; who came since wants one under the session that there is now.
            failedConnects = 0;
            connect();
            return;
        }
        failedConnects++;
        RetryClass retry = why.code().retry();
        boolean routeIsBad = retry == RetryClass.OTHER_PATH || retry == RetryClass.NEVER;
        if (routeIsBad && why.code() != ErrorCode.CLOSED) {
            quarantine = "connecting to peer " + peer.key() + " failed with " + why.code() + ": " + why.getMessage();
            quarantineCode = why.code();
            quarantineEnd = peer.now() + peer.services().settings().quarantineNanos();
            LOG.log(Level.WARNING, "WEFT-QUARANTINE backend " + backend.name() + " is in quarantine: " + quarantine);
            peer.routesChanged();
            waiting.drain(t -> peer.flow().reroute(t));
            return;
        }
        long next = peer.now() + (RECONNECT_NANOS << failedConnects);
        // The connect timeout (rule PEER-1) holds for all attempts together.
        boolean again = failedConnects < MOST_CONNECTS
                && next < firstConnectAt + peer.services().settings().connectNanos();
        // A peer that is there may still cut off who was connected before, and so refuse the successor for a moment.
        boolean answers = peer.session() != null;
        waiting.drain(t -> {
            if (again && (answers || t.replays > 0)) {
                waiting.addLast(t);
            } else {
                peer.flow().fail(t, why.code(), String.valueOf(why.getMessage()), why.nativeCode());
            }
        });
        if (!waiting.isEmpty()) {
            reconnectAt = next;
            peer.alarm().wakeAt(reconnectAt);
        } else {
            failedConnects = 0;
        }
    }

    /** The link said that it is down. */
    void down(LinkListener from, ErrorCode code, long nativeCode, String text) {
        if (from != listener) {
            return;
        }
        if (state == State.CONNECTING) {
            downWhileConnecting = true;
        } else {
            breakDown(code, nativeCode, text);
        }
    }

    /** Breaks the link to stop what is posted on it. */
    void breakDown() {
        breakDown(null, 0, "");
    }

    /** Breaks the link because it does not work. */
    void breakDown(@Nullable ErrorCode why, long nativeCode, String text) {
        Link dying = link;
        if (state != State.UP || dying == null) {
            return;
        }
        enter(State.FENCING_HERE, why == null ? "a posted operation has to be stopped" : why + ": " + text);
        cause = why;
        causeNative = nativeCode;
        causeText = text;
        link = null;
        poster.close(waiting);
        int step = ++epoch;
        long since = peer.now();
        long bound = peer.now() + backend.quiesceNanos() / 2;
        stepEnds(bound + SLACK_NANOS);
        peer.asides()
                .run(
                        () -> {
                            boolean quiet = backend.guard().call("fence a link", () -> dying.fence(bound));
                            FenceEvent.done(
                                    peer.services().engineKey(),
                                    peer.key(),
                                    backend.name(),
                                    "initiator",
                                    quiet,
                                    peer.now() - since);
                            backend.guard().run("close a link", dying::close);
                            return quiet;
                        },
                        quiet -> fencedHere(step, quiet, "its fence answered false"),
                        defect -> fencedHere(step, false, String.valueOf(defect.getMessage())));
    }

    private void stepEnds(long at) {
        stepEnd = at;
        peer.alarm().wakeAt(at);
    }

    private void fencedHere(int step, boolean quiet, String found) {
        if (step != epoch || state != State.FENCING_HERE) {
            return;
        }
        int abandoned = poster.abandon();
        if (!quiet || abandoned > 0) {
            LOG.log(
                    Level.ERROR,
                    "WEFT-DEFECT defect of backend " + backend.name() + ": fencing the link to peer " + peer.key()
                            + " left "
                            + abandoned + " operations without completion"
                            + (quiet ? "" : ", and it may still touch local memory: " + found));
        }
        enter(State.FENCING_THERE, "");
        ControlSession session = peer.session();
        if (!peer.flow().hasLost(this)) {
            fencedThere(step, RemoteQuiescence.QUIESCED);
        } else if (session == null) {
            fencedThere(step, RemoteQuiescence.UNCONFIRMED);
        } else {
            long bound = peer.now() + backend.quiesceNanos() / 2 - SLACK_NANOS;
            stepEnds(bound + SLACK_NANOS);
            session.requestFence(backend.name(), bound)
                    .whenComplete((done, failure) -> peer.send(Mail.of(() -> fencedThere(
                            step, done != null && done ? RemoteQuiescence.QUIESCED : RemoteQuiescence.UNCONFIRMED))));
        }
    }

    private void fencedThere(int step, RemoteQuiescence remote) {
        if (step != epoch || state != State.FENCING_THERE) {
            return;
        }
        epoch++;
        enter(State.DOWN, "");
        stepEnd = Long.MAX_VALUE;
        listener = null;
        peer.publishState();
        forgetKeys();
        peer.flow().linkIsQuiet(this, remote);
        connect();
    }

    /** Changes when keys that were fetched before are dead. */
    int keyEpoch() {
        return keyEpoch;
    }

    /** Keys die with a fence; after any other break it is safer to ask again. */
    private void forgetKeys() {
        keyEpoch++;
        List<RemoteMemory> dead = new ArrayList<>();
        peer.remoteRegions().forEach(region -> {
            RemoteMemory memory = region.takeKey(backend.index());
            if (memory != null) {
                dead.add(memory);
            }
        });
        if (!dead.isEmpty()) {
            peer.asides()
                    .run(
                            () -> {
                                dead.forEach(memory -> backend.guard()
                                        .run(
                                                "release a key",
                                                () -> backend.spi().releaseKey(memory)));
                                return true;
                            },
                            released -> {},
                            defect -> LOG.log(Level.WARNING, "WEFT-DEFECT " + defect.getMessage()));
        }
    }

    /** Takes a transfer whose pieces were lost, or that had to pause, for the next link. */
    void replay(PeerTransfer t) {
        waiting.addLast(t);
    }

    @Nullable
    ErrorCode cause() {
        return cause;
    }

    long causeNative() {
        return causeNative;
    }

    String causeText() {
        return causeText;
    }

    void wake(long now) {
        if (now >= stepEnd) {
            stepEnd = Long.MAX_VALUE;
            if (state == State.FENCING_HERE) {
                fencedHere(epoch, false, "it did not come back from fence within its quiesce time");
            } else if (state == State.FENCING_THERE) {
                fencedThere(epoch, RemoteQuiescence.UNCONFIRMED);
            }
        } else {
            peer.alarm().wakeAt(stepEnd);
        }
        if (now >= reconnectAt) {
            reconnectAt = Long.MAX_VALUE;
            connect();
        } else {
            peer.alarm().wakeAt(reconnectAt);
        }
    }
}
