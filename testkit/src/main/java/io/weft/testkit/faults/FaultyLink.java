package io.weft.testkit.faults;

import io.weft.api.ErrorCode;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import io.weft.testkit.CopiedOperation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One link with faults. */
final class FaultyLink implements Link, LinkEvents {
    private record Completion(long token, int code, long nativeCode) {}

    private final FaultyBackend backend;
    private final FaultyProvider faults;
    private final LinkEvents events;
    private volatile @Nullable Link attached;

    /** Guards what follows, and every post of the delegate, which must see one thread at a time. */
    private final Object posting = new Object();

    private final Map<Long, CopiedOperation> late = new LinkedHashMap<>();
    /** Completions that came while this thread posted; core gets them when the lock is free. */
    private final Queue<Completion> outbox = new ArrayDeque<>();

    private boolean down;

    private final Map<Long, Completion> withheld = new ConcurrentHashMap<>();
    private final Set<Long> reordered = ConcurrentHashMap.newKeySet();

    FaultyLink(FaultyBackend backend, LinkEvents events) {
        this.backend = backend;
        this.faults = backend.faults;
        this.events = events;
    }

    void attach(Link delegate) {
        attached = delegate;
    }

    private Link delegate() {
        return Objects.requireNonNull(attached, "attached before core gets the link");
    }

    @Override
    public int post(Operation operation) {
        if (faults.roll(Fault.REFUSE)) {
            backend.later(events::onWritable);
            return WOULD_BLOCK;
        }
        if (faults.roll(Fault.LINK_DOWN)) {
            backend.later(this::takeDown);
        }
        long token = operation.token();
        if (faults.roll(Fault.FAIL_BEFORE)) {
            withheld.put(token, new Completion(token, ErrorCode.FABRIC.number(), FaultyProvider.INJECTED));
            backend.later(() -> release(token));
            return isDown() ? withdraw(token) : ACCEPTED;
        }
        boolean stall = faults.roll(Fault.STALL);
        if (stall || faults.roll(Fault.DELAY_POST)) {
            synchronized (posting) {
                if (down) {
                    return ErrorCode.PEER_LOST.number();
                }
                late.put(token, new CopiedOperation(operation));
            }
            if (!stall) {
                backend.later(() -> postLate(token));
            }
            return ACCEPTED;
        }
        return forward(operation);
    }

    private boolean isDown() {
        synchronized (posting) {
            return down;
        }
    }

    /** Takes back the acceptance of an operation that the link's end may have overlooked. */
    private int withdraw(long token) {
        return withheld.remove(token) == null ? ACCEPTED : ErrorCode.PEER_LOST.number();
    }

    private int forward(Operation operation) {
        int result;
        List<Completion> ready;
        synchronized (posting) {
            if (down) {
                return ErrorCode.PEER_LOST.number();
            }
            backend.router.linkOfToken.put(operation.token(), this);
            result = delegate().post(operation);
            if (result != ACCEPTED) {
                backend.router.linkOfToken.remove(operation.token());
            }
            ready = new ArrayList<>(outbox);
            outbox.clear();
        }
        ready.forEach(this::deliver);
        return result;
    }

    private void postLate(long token) {
        CopiedOperation operation;
        synchronized (posting) {
            operation = late.remove(token);
        }
        if (operation == null) {
            return; // withdrawn by the link's end or a cancel
        }
        int result = forward(operation);
        if (result == WOULD_BLOCK) {
            synchronized (posting) {
                if (!down) {
                    late.put(token, operation);
                    backend.later(() -> postLate(token));
                    return;
                }
            }
            result = ErrorCode.PEER_LOST.number();
        }
        if (result != ACCEPTED) {
            deliver(new Completion(token, result, 0));
        }
    }

    /** The delegate completed an operation of this link. */
    void completed(long token, int code, long nativeCode) {
        Completion completion = new Completion(token, code, nativeCode);
        if (code == 0 && faults.roll(Fault.FAIL_AFTER)) {
            completion = new Completion(token, ErrorCode.FABRIC.number(), FaultyProvider.INJECTED);
        }
        boolean reorder = false;
        if (faults.roll(Fault.DROP)) {
            withheld.put(token, completion);
        } else if (faults.roll(Fault.DELAY_COMPLETION) || (reorder = faults.roll(Fault.REORDER))) {
            withheld.put(token, completion);
            if (reorder) {
                reordered.add(token);
            }
            backend.later(() -> release(token));
        } else {
            deliver(completion);
            if (faults.roll(Fault.DUPLICATE)) {
                deliver(completion);
            }
            reordered.forEach(this::release);
        }
    }

    private void release(long token) {
        reordered.remove(token);
        Completion completion = withheld.remove(token);
        if (completion != null) {
            deliver(completion);
        }
    }

    private void deliver(Completion completion) {
        if (Thread.holdsLock(posting)) {
            outbox.add(completion);
        } else {
            backend.core.complete(completion.token, completion.code, completion.nativeCode);
        }
    }

    private void takeDown() {
        events.onDown(ErrorCode.FABRIC, FaultyProvider.INJECTED, "link taken down by the fault decorator");
        end(ErrorCode.PEER_LOST, quiesceDeadline());
    }

    private long quiesceDeadline() {
        return backend.context.clock().nanos()
                + backend.capabilities().quiesceTime().toNanos();
    }

    private boolean end(ErrorCode codeOfUnposted, long deadlineNanos) {
        List<Long> unposted;
        synchronized (posting) {
            down = true;
            unposted = new ArrayList<>(late.keySet());
            late.clear();
        }
        unposted.forEach(token -> deliver(new Completion(token, codeOfUnposted.number(), 0)));
        boolean quiet = delegate().fence(deadlineNanos);
        withheld.keySet().forEach(this::release);
        return quiet;
    }

    @Override
    public boolean fence(long deadlineNanos) {
        return end(ErrorCode.CANCELLED, deadlineNanos);
    }

    @Override
    public boolean cancel(long token) {
        synchronized (posting) {
            if (late.remove(token) == null) {
                return delegate().cancel(token);
            }
        }
        deliver(new Completion(token, ErrorCode.CANCELLED.number(), 0));
        return true;
    }

    @Override
    public void close() {
        end(ErrorCode.CANCELLED, quiesceDeadline());
        delegate().close();
    }

    @Override
    public Limits limits(Limits backendLimits) {
        return delegate().limits(backendLimits);
    }

    @Override
    public LinkSnapshot snapshot() {
        return delegate().snapshot();
    }

    @Override
    public void onWritable() {
        events.onWritable();
    }

    @Override
    public void onDown(ErrorCode code, long nativeCode, String text) {
        events.onDown(code, nativeCode, text);
        if (attached != null) { // before that nothing was posted
            backend.later(() -> end(ErrorCode.PEER_LOST, quiesceDeadline()));
        }
    }
}
