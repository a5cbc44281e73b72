package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.Failure;
import io.weft.engine.internal.control.socket.SessionFrame.Fence;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Request;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import io.weft.engine.internal.control.socket.SessionFrame.Revoke;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An engine's session with itself (rule PEER-6): one object, no socket, the same lanes and bounds. Safe from any thread. */
final class LoopSession implements ControlSession {
    private static final int MAX_IN_ORDER = 4_096;

    private final Shared shared;
    private final Hello mine;
    private final PendingRequests pending;
    private final Served served;
    private final Lane inOrder;
    private final Consumer<LoopSession> onEnd;
    private final CompletableFuture<LoopSession> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile PeerState state = PeerState.UP;

    LoopSession(Shared shared, Hello mine, Consumer<LoopSession> onEnd) {
        this.shared = shared;
        this.mine = mine;
        this.onEnd = onEnd;
        pending = new PendingRequests(shared.executor(), mine.key(), shared.settings().maxWaiting);
        served = new Served(this, shared.handler(), shared.clock(), shared.executor(), this::answered);
        inOrder = new Lane(shared.executor(), 1, MAX_IN_ORDER);
    }

    CompletableFuture<LoopSession> opened() {
        return opened;
    }

    CompletableFuture<LoopSession> start() {
        inOrder.force(() -> {
            shared.handler().onOpen(this);
            served.open();
            opened.complete(this);
        });
        inOrder.open();
        return opened;
    }

    CompletableFuture<Void> closed() {
        return closed;
    }

    long tick(long now) {
        return pending.expire(now);
    }

    @Override
    public Hello peer() {
        return mine;
    }

    @Override
    public PeerState state() {
        return state;
    }

    @Override
    public String remoteHost() {
        return "127.0.0.1";
    }

    @Override
    public CompletableFuture<byte[]> fetchKey(String backend, int regionId, long deadlineNanos) {
        return request(
                "fetch a key of this engine",
                deadlineNanos,
                (id, budget) -> new FetchKey(id, budget, backend, regionId));
    }

    @Override
    public CompletableFuture<Void> revoke(int regionId, long deadlineNanos) {
        return request(
                        "revoke a region of this engine",
                        deadlineNanos,
                        (id, budget) -> new Revoke(id, budget, regionId))
                .thenApply(empty -> null);
    }

    @Override
    public CompletableFuture<Boolean> requestFence(String backend, long deadlineNanos) {
        return request("fence this engine", deadlineNanos, (id, budget) -> new Fence(id, budget, backend))
                .thenApply(value -> value[0] == 1);
    }

    @Override
    public boolean tellEnd(InboundEnd end) {
        return inOrder.submit(() -> shared.handler().ended(this, end));
    }

    @Override
    public CompletableFuture<byte[]> call(String backend, byte[] request, long deadlineNanos) {
        byte[] copy = request.clone();
        return request(
                "call a backend of this engine", deadlineNanos, (id, budget) -> new Call(id, budget, backend, copy));
    }

    @Override
    public boolean send(String backend, byte[] message) {
        byte[] copy = message.clone();
        return inOrder.submit(() -> shared.handler().message(this, backend, copy));
    }

    /** Nobody else can be at the other end: both sides compute the same from what only this engine knows. */
    @Override
    public byte[] prove(byte[] context) {
        return shared.settings().secret.prove("weft loop", context);
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        return shared.settings().secret.verify(proof, "weft loop", context);
    }

    @Override
    public void close(String why) {
        if (state == PeerState.LOST) {
            return;
        }
        state = PeerState.LOST;
        onEnd.accept(this);
        served.drop();
        pending.end(why);
        inOrder.force(() -> {
            try {
                shared.handler().onClosed(this, ErrorCode.CLOSED, "closed by this engine: " + why);
            } finally {
                closed.complete(null);
            }
        });
        inOrder.end();
    }

    private CompletableFuture<byte[]> request(String what, long deadlineNanos, MakeRequest make) {
        CompletableFuture<byte[]> answer =
                pending.start(what, deadlineNanos, shared.clock().nanos(), (id, budget) -> {
                    served.serve(make.make(id, budget));
                    return true;
                });
        shared.loop().wakeBefore(deadlineNanos);
        return answer;
    }

    private interface MakeRequest {
        Request make(long id, long budgetNanos);
    }

    private void answered(SessionFrame frame) {
        switch (frame) {
            case Result r -> pending.succeed(r.id(), r.value());
            case Failure f -> pending.fail(f.id(), f.code(), f.text());
            default ->
                throw new IllegalStateException(
                        "not an answer: " + frame.getClass().getSimpleName());
        }
    }
}
