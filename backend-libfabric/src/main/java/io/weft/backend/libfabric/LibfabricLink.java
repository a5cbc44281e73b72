package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.FiCqErrEntry;
import io.weft.backend.libfabric.ofi.FiMsgRma;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way to one peer: an initiator endpoint and the peer's target endpoint.
 *
 * <p>An operation is cut into provider operations of a few segments each. If the provider takes only some of them now, the rest stays
 * in {@link #plan} and the poller posts it as completions come; until then the link takes no further operation. The role of the
 * poster passes to the poller with the volatile write of {@link #pending} and back in the same way.
 */
final class LibfabricLink implements Link, Polled {
    private static final long EAGAIN = -11;
    private static final long SELF_FENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LibfabricBackend backend;
    private final Peer peer;
    private final LinkEvents events;
    private final RmaEndpoint endpoint;
    private final HelloRead hello;
    private final TargetWatch watch;
    private final long targetId;
    private final Operations operations;
    private final SegmentPlan plan;
    private final FiMsgRma message;
    private final boolean flushes;

    private final long[] tokens = new long[RmaEndpoint.BATCH];
    private final int[] codes = new int[RmaEndpoint.BATCH];
    private final long[] natives = new long[RmaEndpoint.BATCH];
    private int batched;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final IntRing flushQueue;
    private volatile boolean pending;
    private volatile boolean blocked;
    private volatile @Nullable Failure failure;
    private volatile boolean fenced;
    private volatile boolean quiet;
    private final ReentrantLock closing = new ReentrantLock();

    private record Failure(ErrorCode code, long nativeCode, String text) {}

    LibfabricLink(
            LibfabricBackend backend,
            Peer peer,
            LinkEvents events,
            RmaEndpoint endpoint,
            HelloRead hello,
            TargetWatch watch,
            long targetId,
            long remote) {
        this.backend = backend;
        this.peer = peer;
        this.events = events;
        this.endpoint = endpoint;
        this.hello = hello;
        this.watch = watch;
        this.targetId = targetId;
        int perMessage = backend.fabric().traits().segmentsPerMessage();
        operations = new Operations(
                endpoint.arena, backend.window(), backend.limits().operationsInFlight());
        flushQueue = new IntRing(operations.size());
        plan = new SegmentPlan(backend.limits().segmentsPerOperation(), perMessage);
        message = new FiMsgRma(endpoint.arena, perMessage, remote);
        flushes = backend.fabric().traits().needsFlush();
    }

    @Override
    public RmaEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public int post(Operation operation) {
        if (!endpoint.gate.enter()) {
            return ErrorCode.PEER_LOST.number();
        }
        try {
            if (failure != null) {
                return ErrorCode.PEER_LOST.number();
            }
            if (!hasCredit() && !waitForCredit()) {
                return WOULD_BLOCK;
            }
            plan.fill(operation);
            boolean write = operation.kind() == OperationKind.WRITE;
            plan.op = operations.begin(operation.token(), plan.parts(), write && flushes);
            inFlight.incrementAndGet();
            if (!postParts()) {
                pending = true;
                backend.source().wakeup();
            }
            return ACCEPTED;
        } finally {
            endpoint.gate.leave();
        }
    }

    private boolean hasCredit() {
        return !pending && operations.canBegin();
    }

    /** Asks for {@link LinkEvents#onWritable}, and looks once more, since credit may have come before it was asked for. */
    private boolean waitForCredit() {
        blocked = true;
        VarHandle.fullFence();
        return hasCredit();
    }

    /** Posts what the window and the provider take; true once nothing is left to post. */
    private boolean postParts() {
        while (!plan.isPosted()) {
            int slot = operations.takeSlot(plan.op);
            if (slot < 0) {
                return false;
            }
            int taken = plan.next(message);
            long at = message.finish(operations.context(slot));
            long rc = plan.write
                    ? endpoint.endpoint.write(at, Fi.COMPLETION | Fi.DELIVERY_COMPLETE)
                    : endpoint.endpoint.read(at, Fi.COMPLETION);
            if (rc == 0) {
                plan.posted(taken);
            } else {
                operations.keepSlot(slot);
                if (rc != EAGAIN) {
                    refused((int) -rc);
                    return true;
                }
                return false;
            }
        }
        return true;
    }

    private void refused(int error) {
        long code = NativeCodes.pack(error, 0);
        operations.fail(plan.op, NativeCodes.codeOf(error).number(), code);
        fail(NativeCodes.codeOf(error), code, "posting was refused");
        backend.source().wakeup();
    }

    private void fail(ErrorCode code, long nativeCode, String what) {
        if (failure == null) {
            failure = new Failure(
                    code,
                    nativeCode,
                    "libfabric " + backend.fabric().traits().facts().provider() + " to " + peer.key() + ": " + what
                            + ": " + NativeCodes.describe(backend.fabric().ofi(), nativeCode));
        }
    }

    @Override
    public int poll(int budget) {
        if ((endpoint.isOrphaned() || watch.isGone(targetId)) && !fenced && !quiet) {
            fail(ErrorCode.PEER_LOST, 0, "the target closed its endpoint, to fence this engine");
            down();
            return 1;
        }
        if (inFlight.get() == 0 && failure == null || !endpoint.gate.enter()) {
            return 0;
        }
        int taken;
        try {
            taken = take(budget);
            if (pending && failure == null && postParts()) {
                pending = false;
            }
            postFlushes();
            VarHandle.fullFence(); // pairs with waitForCredit
            if (blocked && hasCredit()) {
                blocked = false;
                events.onWritable();
            }
        } finally {
            endpoint.gate.leave();
        }
        down();
        return taken;
    }

    /** After a failure: tells core and makes this side quiet. */
    private void down() {
        Failure failed = failure;
        if (failed != null) {
            events.onDown(failed.code, failed.nativeCode, failed.text);
            quiesce(failed.code, failed.nativeCode, backend.clock().nanos() + SELF_FENCE_NANOS);
        }
    }

    private void postFlushes() {
        while (flushQueue.size() > 0 && failure == null) {
            if (!hello.post(operations.flushContext(flushQueue.peek()))) {
                int error = hello.refused();
                if (error != 0) {
                    fail(NativeCodes.codeOf(error), NativeCodes.pack(error, 0), "flushing was refused");
                }
                return;
            }
            flushQueue.take();
        }
    }

    /** Takes completions and reports the operations that they end. Inside the gate, or alone after it was shut. */
    private int take(int budget) {
        long n = endpoint.cq.read(endpoint.entries.address(), Math.min(budget, RmaEndpoint.BATCH));
        if (n > 0) {
            for (int i = 0; i < n; i++) {
                ended(endpoint.entries.getAtIndex(ValueLayout.JAVA_LONG, i), 0, 0);
            }
            report();
            return (int) n;
        }
        if (n == OfiCq.ERROR_AVAILABLE) {
            takeError();
            report();
            return 1;
        }
        if (n != OfiCq.EMPTY) {
            fail(ErrorCode.FABRIC, NativeCodes.pack((int) -n, 0), "reading the completion queue");
        }
        return 0;
    }

    private void takeAll() {
        while (take(RmaEndpoint.BATCH) > 0) {
            // until the queue is empty
        }
    }

    private void takeError() {
        if (endpoint.cq.readError(endpoint.error) != 1) {
            return;
        }
        int error = FiCqErrEntry.err(endpoint.error);
        long code = NativeCodes.pack(error, FiCqErrEntry.providerErrno(endpoint.error));
        ErrorCode meaning = NativeCodes.codeOf(error);
        ended(FiCqErrEntry.context(endpoint.error), meaning.number(), code);
        fail(meaning, code, "an operation failed");
    }

    private void ended(long context, int code, long nativeCode) {
        int slot = operations.slotOf(context);
        if (slot < 0) {
            return; // an error that the provider could not assign; the link goes down all the same
        }
        int op = operations.release(slot);
        if (code != 0) {
            operations.fail(op, code, nativeCode);
        }
        if (operations.partDone(op)) {
            if (operations.wantsFlush(op)) {
                flushQueue.put(op);
            } else {
                end(op);
            }
        }
    }

    private void end(int op) {
        tokens[batched] = operations.token(op);
        codes[batched] = operations.code(op);
        natives[batched] = operations.nativeCode(op);
        operations.end(op);
        inFlight.decrementAndGet();
        if (++batched == tokens.length) {
            report();
        }
    }

    private void report() {
        if (batched > 0) {
            int count = batched;
            batched = 0;
            backend.completions().complete(tokens, codes, natives, count);
        }
    }

    @Override
    public boolean fence(long deadlineNanos) {
        fenced = true;
        return quiesce(ErrorCode.CANCELLED, 0, deadlineNanos);
    }

    /** Closes the endpoint and completes what was in flight: what the provider has finished with its own code, the rest with this. */
    private boolean quiesce(ErrorCode code, long nativeCode, long deadlineNanos) {
        endpoint.gate.shut();
        boolean locked = false;
        try {
            locked = closing.tryLock(Math.max(0, deadlineNanos - backend.clock().nanos()), TimeUnit.NANOSECONDS);
            if (!locked || quiet) {
                return quiet;
            }
            if (!endpoint.gate.awaitEmpty(backend.clock(), deadlineNanos)) {
                return false;
            }
            backend.source().remove(this);
            if (!endpoint.close(backend.clock(), deadlineNanos, this::takeAll)) {
                return false;
            }
            for (int op = 0; op < operations.size(); op++) {
                if (operations.isLive(op)) {
                    operations.fail(op, code.number(), nativeCode);
                    end(op);
                }
            }
            report();
            quiet = true;
            backend.forget(this);
            backend.unwatch(watch);
            return true;
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
            return quiet;
        } catch (OfiException refused) {
            backend.complain("closing the endpoint to " + peer.key(), refused);
            return false;
        } finally {
            if (locked) {
                closing.unlock();
            }
        }
    }

    @Override
    public LinkSnapshot snapshot() {
        return new LinkSnapshot(1, List.of(backend.fabric().traits().facts().domain()), List.of(), inFlight.get(), "");
    }

    @Override
    public void close() {
        long deadline =
                backend.clock().nanos() + backend.capabilities().quiesceTime().toNanos();
        if (!fence(deadline)) {
            backend.complain("closing the link to " + peer.key(), null);
        }
        peer.send(new Greeting.Close(targetId).encode());
    }
}
