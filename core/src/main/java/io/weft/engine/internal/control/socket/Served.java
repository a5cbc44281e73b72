package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.control.ControlHandler;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.socket.FrameType.Limits;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.Failure;
import io.weft.engine.internal.control.socket.SessionFrame.Fence;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Request;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import io.weft.engine.internal.control.socket.SessionFrame.Revoke;
import io.weft.spi.EngineClock;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Answers one session's requests on lanes of their own, so that a slow key export holds back neither a fence nor another peer.
 * A backend's calls are begun one at a time and in order. Safe from any thread.
 */
final class Served {
    private static final System.Logger LOG = System.getLogger(Served.class.getName());
    /** Longer budgets are cut, which also keeps deadlines from overflowing. */
    private static final long MAX_BUDGET = TimeUnit.HOURS.toNanos(1);

    private final ControlSession session;
    private final ControlHandler handler;
    private final EngineClock clock;
    private final Consumer<SessionFrame> reply;
    private final Lane keys;
    private final Lane revocations;
    private final Lane fences;
    private final Lane calls;

    Served(
            ControlSession session,
            ControlHandler handler,
            EngineClock clock,
            Executor executor,
            Consumer<SessionFrame> reply) {
        this.session = session;
        this.handler = handler;
        this.clock = clock;
        this.reply = reply;
        keys = new Lane(executor, 4, 256);
        revocations = new Lane(executor, 4, 256);
        fences = new Lane(executor, 2, 32);
        calls = new Lane(executor, 1, 64);
    }

    void open() {
        lanes().forEach(Lane::open);
    }

    void drop() {
        lanes().forEach(Lane::drop);
    }

    /** False if too many wait; the asker was told. */
    boolean serve(Request request) {
        long deadline = clock.nanos() + Math.min(request.budgetNanos(), MAX_BUDGET);
        boolean taken = switch (request) {
            case FetchKey k ->
                keys.submit(() -> answer(
                        k, deadline, Limits.REGION_KEY, () -> handler.exportKey(session, k.backend(), k.regionId())));
            case Revoke r ->
                revocations.submit(() -> answer(r, deadline, 0, () -> {
                    handler.revoked(session, r.regionId(), deadline);
                    return new byte[0];
                }));
            case Fence f ->
                fences.submit(() -> answer(f, deadline, 1, () -> {
                    boolean cutOff = handler.fence(session, f.backend(), deadline);
                    return new byte[] {(byte) (cutOff ? 1 : 0)};
                }));
            case Call c -> calls.submit(() -> begin(c, deadline));
        };
        if (!taken) {
            reply.accept(new Failure(
                    request.id(),
                    ErrorCode.RESOURCE_EXHAUSTED.number(),
                    "too many " + request.getClass().getSimpleName() + " requests of this peer wait"));
        }
        return taken;
    }

    private interface Work {
        byte[] run();
    }

    private boolean isLate(long deadline) {
        return clock.nanos() - deadline >= 0;
    }

    private void begin(Call call, long deadline) {
        if (isLate(deadline)) {
            return;
        }
        try {
            handler.begin(session, call.backend(), call.request())
                    .whenComplete((value, failure) -> answer(call, deadline, Limits.MESSAGE, () -> {
                        if (failure == null) {
                            return value;
                        }
                        throw failure instanceof WeftException told ? told : new CompletionException(failure);
                    }));
        } catch (RuntimeException | LinkageError | AssertionError refused) {
            refuse(call, refused);
        }
    }

    private void answer(Request request, long deadline, int maxBytes, Work work) {
        if (isLate(deadline)) {
            return; // The asker gave up: do not do for nobody what may be slow.
        }
        try {
            byte[] value = work.run();
            if (value.length > maxBytes) {
                throw new WeftException(
                        ErrorCode.INTERNAL,
                        "the answer has " + value.length + " bytes, at most " + maxBytes + " may travel");
            }
            reply.accept(new Result(request.id(), value));
        } catch (RuntimeException | LinkageError | AssertionError refused) {
            refuse(request, refused);
        }
    }

    private void refuse(Request request, Throwable why) {
        if (why instanceof WeftException refused) {
            reply.accept(new Failure(request.id(), refused.code().number(), String.valueOf(refused.getMessage())));
        } else {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "WEFT-DEFECT answering " + request.getClass().getSimpleName() + " failed",
                    why);
            reply.accept(new Failure(
                    request.id(),
                    ErrorCode.INTERNAL.number(),
                    "the peer's engine failed: " + why.getClass().getName()));
        }
    }

    private List<Lane> lanes() {
        return List.of(keys, revocations, fences, calls);
    }
}
