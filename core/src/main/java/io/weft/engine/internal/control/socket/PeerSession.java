package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.api.WeftException;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.Handshake.Established;
import io.weft.engine.internal.control.socket.SessionFrame.Bye;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.End;
import io.weft.engine.internal.control.socket.SessionFrame.Failure;
import io.weft.engine.internal.control.socket.SessionFrame.Fence;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Heartbeat;
import io.weft.engine.internal.control.socket.SessionFrame.Message;
import io.weft.engine.internal.control.socket.SessionFrame.Request;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import io.weft.engine.internal.control.socket.SessionFrame.Revoke;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A session over one connection. {@link ControlSession}'s methods may be called from any thread; the rest belongs to the I/O
 * thread.
 */
final class PeerSession implements ControlSession, Connection.Phase {
    private static final System.Logger LOG = System.getLogger(PeerSession.class.getName());
    /** Bytes that wait for the handler before this side stops reading; it goes on at half of them. */
    private static final int BACKLOG_BYTES = 1024 * 1024;
    /** What a small frame costs while it waits. */
    private static final int FRAME_OVERHEAD = 256;

    private static final long SHORTEST_HEARTBEAT = TimeUnit.MILLISECONDS.toNanos(50);

    private final Shared shared;
    private final Connection connection;
    private final Established established;
    private final Hello mine;
    private final IntSupplier sessions;
    private final Consumer<PeerSession> onEnd;
    private final PendingRequests pending;
    private final Served served;
    /** What the handler hears in order: open, liveness, ends, messages, closed. */
    private final Lane inOrder;

    private final AtomicLong backlog = new AtomicLong();
    private final Liveness liveness;
    private final long heartbeatNanos;
    private final Heartbeats heartbeats;
    private final CompletableFuture<PeerSession> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile PeerState state = PeerState.UP;
    /** Why this side ends it, from the call on and not only when the I/O thread has done it; null while it does not. */
    private volatile @Nullable String closing;

    private long lastTick;
    private long lastPeerRequest;

    PeerSession(
            Shared shared,
            Connection connection,
            Established established,
            Hello mine,
            IntSupplier sessions,
            Consumer<PeerSession> onEnd) {
        this.shared = shared;
        this.connection = connection;
        this.established = established;
        this.mine = mine;
        this.sessions = sessions;
        this.onEnd = onEnd;
        long now = shared.clock().nanos();
        SocketSettings settings = shared.settings();
        pending = new PendingRequests(shared.executor(), peer().key(), settings.maxWaiting);
        served = new Served(this, shared.handler(), shared.clock(), shared.executor(), this::answer);
        inOrder = new Lane(shared.executor(), 1, Integer.MAX_VALUE);
        liveness = new Liveness(settings.suspectNanos, settings.lostNanos, now);
        heartbeatNanos = Math.min(
                settings.heartbeatNanos,
                Math.max(SHORTEST_HEARTBEAT, established.content().heartbeatNanos()));
        heartbeats = new Heartbeats(heartbeatNanos, now);
        lastTick = now;
    }

    /** Tells the handler, once the session that this one replaces has been told of. */
    void start(CompletableFuture<Void> before) {
        inOrder.force(() -> {
            try {
                shared.handler().onOpen(this);
            } catch (RuntimeException defect) {
                opened.completeExceptionally(defect);
                close("this engine failed to take the session");
                throw defect;
            }
            served.open();
            opened.complete(this);
        });
        before.whenComplete((done, failed) -> inOrder.open());
    }

    long id() {
        return established.sessionId();
    }

    /** Completes when the handler knows the session. */
    CompletableFuture<PeerSession> opened() {
        return opened;
    }

    /** Completes when the handler knows that the session is over. */
    CompletableFuture<Void> closed() {
        return closed;
    }

    @Override
    public Hello peer() {
        return established.content().hello();
    }

    @Override
    public PeerState state() {
        return state;
    }

    @Override
    public String remoteHost() {
        return connection.remoteHost();
    }

    @Override
    public CompletableFuture<byte[]> fetchKey(String backend, int regionId, long deadlineNanos) {
        return request(
                "fetch the key of region " + Integer.toUnsignedString(regionId) + " for backend " + backend,
                deadlineNanos,
                (id, budget) -> new FetchKey(id, budget, backend, regionId));
    }

    @Override
    public CompletableFuture<Void> revoke(int regionId, long deadlineNanos) {
        return request(
                        "revoke region " + Integer.toUnsignedString(regionId),
                        deadlineNanos,
                        (id, budget) -> new Revoke(id, budget, regionId))
                .thenApply(empty -> null);
    }

    @Override
    public CompletableFuture<Boolean> requestFence(String backend, long deadlineNanos) {
        return request("fence backend " + backend, deadlineNanos, (id, budget) -> new Fence(id, budget, backend))
                .thenApply(value -> value.length == 1 && value[0] == 1);
    }

    @Override
    public CompletableFuture<byte[]> call(String backend, byte[] request, long deadlineNanos) {
        return request(
                "call backend " + backend, deadlineNanos, (id, budget) -> new Call(id, budget, backend, request));
    }

    @Override
    public boolean tellEnd(InboundEnd end) {
        return send(new End(end));
    }

    @Override
    public boolean send(String backend, byte[] message) {
        return send(new Message(backend, message));
    }

    @Override
    public byte[] prove(byte[] context) {
        return established.lanes().prove(lane(mine), context);
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        return established.lanes().verify(proof, lane(peer()), context);
    }

    @Override
    public void close(String why) {
        closing = why;
        shared.loop().execute(() -> closeNow(why));
    }

    /** Whether this side ends it: who wants a session now needs another one. */
    boolean isClosing() {
        return closing != null;
    }

    /** Does what {@link #close} asked for, so that another session can take this one's place; false if it did not. On the I/O thread. */
    boolean closeIfAsked() {
        String why = closing;
        if (why == null) {
            return false;
        }
        closeNow(why);
        return true;
    }

    /** As {@link #close}, on the I/O thread. */
    void closeNow(String why) {
        if (state == PeerState.LOST) {
            return;
        }
        send(new Bye(why));
        end(ErrorCode.CLOSED, "closed by this engine: " + why);
    }

    /** Ends the session because of what was found here. */
    void end(ErrorCode code, String text) {
        if (state == PeerState.LOST) {
            return;
        }
        state = PeerState.LOST;
        connection.end(Connection.End.CLOSED_HERE, text);
        onEnd.accept(this);
        served.drop();
        pending.end(text);
        inOrder.force(() -> {
            opened.completeExceptionally(new WeftException(ErrorCode.PEER_LOST, text));
            try {
                shared.handler().onClosed(this, code, text);
            } finally {
                closed.complete(null);
            }
        });
        inOrder.end();
    }

    long firstTick() {
        return lastTick + heartbeatNanos / 4;
    }

    /** Returns when to be called again at the latest. */
    long tick(long now) {
        long sinceTick = now - lastTick;
        lastTick = now;
        if (connection.isPaused()) {
            liveness.deaf(sinceTick, now);
        }
        PeerState judged = liveness.judge(now);
        if (judged == PeerState.LOST) {
            end(
                    ErrorCode.PEER_LOST,
                    "nothing was heard of peer " + peer().key() + " for "
                            + TimeUnit.NANOSECONDS.toMillis(liveness.silence(now)) + " ms");
            return now + heartbeatNanos;
        }
        if (connection.outbox().stalledFor(now) >= shared.settings().lostNanos) {
            slowReader("it took nothing of what waits for it for "
                    + TimeUnit.NANOSECONDS.toMillis(connection.outbox().stalledFor(now)) + " ms");
            return now + heartbeatNanos;
        }
        if (judged != state) {
            state = judged;
            inOrder.force(() -> shared.handler().onLiveness(this));
        }
        if (heartbeats.isDue(now)) {
            send(new Heartbeat());
        }
        long due = pending.expire(now);
        long beat = now + heartbeatNanos / 4;
        return due == Long.MAX_VALUE || beat - due < 0 ? beat : due;
    }

    void stalled(long nanos, long now) {
        liveness.deaf(nanos, now);
        connection.outbox().deaf(nanos, now);
        lastTick = now;
    }

    @Override
    public void heard(long now) {
        liveness.heard(now);
    }

    @Override
    public boolean allows(FrameType type) {
        return type.number >= FrameType.HEARTBEAT.number;
    }

    @Override
    public void frame(FrameType type, WireIn body) {
        switch (SessionFrame.decode(type, body)) {
            case Heartbeat beat -> {
                if (heartbeats.isAnswered(shared.clock().nanos(), sessions.getAsInt())) {
                    send(beat);
                }
            }
            case Request request -> serve(request);
            case Result r -> pending.succeed(r.id(), r.value());
            case Failure f -> pending.fail(f.id(), f.code(), Texts.printable(f.text()));
            case End e -> tell(size(e.end()), () -> shared.handler().ended(this, e.end()));
            case Message m -> tell(m.message().length, () -> shared.handler().message(this, m.backend(), m.message()));
            case Bye bye -> end(ErrorCode.CLOSED, "closed by the peer: " + Texts.printable(bye.text()));
        }
    }

    @Override
    public void ended(Connection.End end, String text) {
        if (end == Connection.End.PROTOCOL) {
            shared.counters().protocolErrors().add(1);
        }
        end(
                end == Connection.End.PROTOCOL ? ErrorCode.PROTOCOL : ErrorCode.PEER_LOST,
                "peer " + peer().key() + ": " + text);
    }

    private void serve(Request request) {
        if (request.id() <= lastPeerRequest) {
            throw new ProtocolException("request " + request.id() + " came after request " + lastPeerRequest);
        }
        lastPeerRequest = request.id();
        if (!served.serve(request)) {
            shared.counters().requestsRefused().add(1);
        }
    }

    /** A handler that is slower than its peer makes this side stop reading, so that the peer waits and not our memory. */
    private void tell(int bytes, Runnable handlerCall) {
        int weight = bytes + FRAME_OVERHEAD;
        boolean tooMuch = backlog.addAndGet(weight) > BACKLOG_BYTES;
        inOrder.force(() -> {
            try {
                handlerCall.run();
            } finally {
                long left = backlog.addAndGet(-weight);
                if (left <= BACKLOG_BYTES / 2 && left + weight > BACKLOG_BYTES / 2) {
                    shared.loop().execute(() -> connection.pause(false));
                }
            }
        });
        if (tooMuch) {
            connection.pause(true);
        }
    }

    private static int size(InboundEnd end) {
        byte[] notification = end.notification();
        return end.text().length() + (notification == null ? 0 : notification.length);
    }

    private CompletableFuture<byte[]> request(String what, long deadlineNanos, MakeRequest make) {
        try {
            CompletableFuture<byte[]> answer = pending.start(
                    what,
                    deadlineNanos,
                    shared.clock().nanos(),
                    (id, budget) -> sendWhileOpen(what, make.make(id, budget)));
            shared.loop().wakeBefore(deadlineNanos);
            return answer;
        } catch (IllegalArgumentException tooLong) {
            return CompletableFuture.failedFuture(
                    new WeftException(ErrorCode.INVALID_ARGUMENT, what + ": " + tooLong.getMessage(), tooLong));
        } catch (WeftException over) {
            return CompletableFuture.failedFuture(over);
        }
    }

    /** A connection that has just ended is not taken for a full one, which would be worth another try (rule PEER-2). */
    private boolean sendWhileOpen(String what, SessionFrame frame) {
        if (send(frame)) {
            return true;
        }
        if (connection.isClosed()) {
            throw new WeftException(ErrorCode.PEER_LOST, what + ": its control connection has ended");
        }
        return false;
    }

    private interface MakeRequest {
        Request make(long id, long budgetNanos);
    }

    /** What this side wants may fill half of the outbox; the other half is for answers, which the peer has asked for. */
    private boolean send(SessionFrame frame) {
        return connection.send(frame.encode(), shared.settings().outboxBytes / 2);
    }

    private void answer(SessionFrame frame) {
        ByteBuffer encoded = frame.encode();
        if (!connection.send(encoded, shared.settings().outboxBytes)) {
            shared.loop().execute(() -> slowReader("it does not read the answers that it asked for"));
        }
    }

    private void slowReader(String text) {
        if (state != PeerState.LOST) {
            shared.counters().slowReaders().add(1);
            LOG.log(System.Logger.Level.WARNING, "WEFT-SESSION control session with {0} ends: {1}", peer().key(), text);
        }
        end(ErrorCode.PEER_LOST, "peer " + peer().key() + ": " + text);
    }

    /** A proof of one side is none for the other. */
    private static String lane(Hello prover) {
        return "weft lane of " + Long.toHexString(prover.incarnation());
    }
}
