package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.backend.rdma.mori.Notification;
import io.weft.backend.rdma.verbs.Completions;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.SendChain;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.Errno;
import io.weft.ffi.Gate;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way to one peer: queue pairs with one completion queue of their own. Operations take turns over the queue pairs.
 *
 * <p>An operation is one chain of work requests with one doorbell. Requests of a reliable connection end in order, so only the last
 * one is signalled and stands for all; after a write it is a read of a few bytes of the target, which cannot be answered before the
 * writes in front of it are in the target's memory. In error every request completes, hence a queue as deep as all queue pairs together.
 * When one fails, all end.
 */
final class RdmaLink implements Link, Polled {
    private static final int BATCH = 32;
    static final int HELLO_BYTES = 16;
    /** After an operation's own: the read that flushes it, and the notification. */
    static final int EXTRA_REQUESTS = 2;

    private static final long SELF_FENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final RdmaBackend backend;
    private final Peer peer;
    private final LinkEvents events;
    private final Wire wire;
    private final Gate gate = new Gate();
    private final SendChain chain;
    private final Completions completions;
    private final long[] qps;
    private final long cq;
    private final int largest;

    private final int ops;
    private final FreeSlots free;
    private final long[] token;
    private final int[] requests;
    private final int[] lane;
    private final boolean[] live;
    /** Requests for which each queue pair has room. */
    private final AtomicIntegerArray credit;

    private int nextLane;
    private final AtomicInteger inFlight = new AtomicInteger();

    private final long[] tokens = new long[BATCH];
    private final int[] codes = new int[BATCH];
    private final long[] natives = new long[BATCH];
    private int batched;

    private volatile boolean blocked;
    private volatile @Nullable Failure failure;
    private volatile boolean quiet;
    private final ReentrantLock closing = new ReentrantLock();

    private record Failure(ErrorCode code, long nativeCode, String text) {}

    /**
     * What a link is made of and frees.
     *
     * @param arena memory of chain and completions
     * @param pairs the queue pairs, connected
     * @param cq their completion queue
     * @param landing where the target's few bytes are read to, followed by room for a notification of each operation
     * @param landingMr its registration
     * @param theirs the target's answer
     * @param inbox what the target may send to, if it is a plain MORI-IO engine
     */
    record Wire(
            Arena arena,
            QueuePairs pairs,
            MemorySegment cq,
            MemorySegment landing,
            Ibv.Mr landingMr,
            QpAddress theirs,
            @Nullable Inbox inbox) {}

    RdmaLink(RdmaBackend backend, Peer peer, LinkEvents events, Wire wire, int depth, int sges) {
        this.backend = backend;
        this.peer = peer;
        this.events = events;
        this.wire = wire;
        chain = new SendChain(
                wire.arena, backend.limits().segmentsPerOperation() + EXTRA_REQUESTS, sges, wire.pairs.inline());
        completions = new Completions(wire.arena, BATCH);
        qps = new long[wire.pairs.count()];
        cq = wire.cq.address();
        largest = (int) Math.min(Integer.MAX_VALUE, backend.device().port().maxMessageBytes());
        ops = backend.limits().operationsInFlight();
        free = new FreeSlots(ops);
        token = new long[ops];
        requests = new int[ops];
        lane = new int[ops];
        live = new boolean[ops];
        credit = new AtomicIntegerArray(qps.length);
        for (int i = 0; i < qps.length; i++) {
            qps[i] = wire.pairs.qp(i);
            credit.set(i, depth);
        }
    }

    @Override
    public int post(Operation operation) {
        if (!gate.enter()) {
            return ErrorCode.PEER_LOST.number();
        }
        try {
            if (failure != null) {
                return ErrorCode.PEER_LOST.number();
            }
            int op = takeSlot();
            if (op < 0) {
                return WOULD_BLOCK;
            }
            fill(operation, op);
            int on = takeLane(chain.length());
            if (on < 0) {
                free.keep(op);
                return WOULD_BLOCK;
            }
            token[op] = operation.token();
            requests[op] = chain.length();
            lane[op] = on;
            live[op] = true;
            credit.addAndGet(on, -chain.length());
            inFlight.incrementAndGet();
            int errno = chain.post(backend.device().path(), qps[on]);
            if (errno != 0) {
                // Some of the chain may be posted: the queue pair is given up, which ends all of it.
                fail(ErrorCode.FABRIC, 0, "ibv_post_send: " + Errno.describe(errno));
                backend.source().wakeup();
            }
            return ACCEPTED;
        } finally {
            gate.leave();
        }
    }

    private int takeSlot() {
        int op = free.take();
        if (op < 0) {
            blocked = true;
            VarHandle.fullFence();
            op = free.take();
        }
        return op;
    }

    private int takeLane(int wanted) {
        int on = findLane(wanted);
        if (on < 0) {
            blocked = true;
            VarHandle.fullFence();
            on = findLane(wanted);
        }
        return on;
    }

    /** The next queue pair in turn that has room for a chain; -1 if none has. */
    private int findLane(int wanted) {
        int on = nextLane;
        for (int i = 0; i < qps.length; i++) {
            int next = on + 1 == qps.length ? 0 : on + 1;
            if (credit.get(on) >= wanted) {
                nextLane = next;
                return on;
            }
            on = next;
        }
        return -1;
    }

    /** Neighbours at the target share a request as long as it has room for entries. */
    private void fill(Operation operation, int op) {
        boolean write = operation.kind() == OperationKind.WRITE;
        int opcode = write ? SendChain.WRITE : SendChain.READ;
        long[] localOffsets = operation.localOffsets();
        long[] remoteOffsets = operation.remoteOffsets();
        long[] lengths = operation.lengths();
        chain.clear();
        for (int run = 0; run < operation.runCount(); run++) {
            Region local = (Region) operation.local(run);
            RemoteRegion remote = (RemoteRegion) operation.remote(run);
            long base = local.spec().address();
            int lkey = local.mr().lkey();
            long end = 0;
            long size = 0;
            int from = operation.from(run);
            int to = operation.to(run);
            for (int i = from; i < to; i++) {
                long at = remoteOffsets[i];
                if (i == from || at != end || !chain.hasRoom() || size + lengths[i] > largest) {
                    chain.begin(op, opcode, remote.address() + at, remote.rkey());
                    size = 0;
                }
                chain.add(base + localOffsets[i], (int) lengths[i], lkey);
                end = at + lengths[i];
                size += lengths[i];
            }
        }
        if (write && operation.runCount() > 0) {
            addFlush(operation, op);
        }
        if (operation.announce()) {
            addNotification(op, operation.transferId());
        }
    }

    /** A plain engine offers no bytes for this, but those that were just written. */
    private void addFlush(Operation operation, int op) {
        long at = wire.theirs.hello();
        int key = wire.theirs.helloKey();
        int length = HELLO_BYTES;
        if (at == 0) {
            int run = operation.runCount() - 1;
            int last = operation.to(run) - 1;
            RemoteRegion remote = (RemoteRegion) operation.remote(run);
            at = remote.address() + operation.remoteOffsets()[last];
            key = remote.rkey();
            length = (int) Math.min(length, operation.lengths()[last]);
        }
        chain.begin(op, SendChain.READ, at, key);
        chain.add(wire.landing.address(), length, wire.landingMr.lkey());
    }

    private void addNotification(int op, long transferId) {
        MemorySegment room = wire.landing.asSlice(HELLO_BYTES + (long) op * Notification.BYTES, Notification.BYTES);
        Notification.write(room, transferId, 0, 1);
        chain.begin(op, SendChain.SEND, 0, 0);
        chain.add(room.address(), Notification.BYTES, wire.landingMr.lkey());
    }

    private void fail(ErrorCode code, long nativeCode, String what) {
        if (failure == null) {
            failure = new Failure(
                    code, nativeCode, "rdma " + backend.device().name() + " to " + peer.key() + ": " + what);
        }
    }

    @Override
    public int poll() {
        if (inFlight.get() == 0 && failure == null || !gate.enter()) {
            return 0;
        }
        int taken;
        try {
            taken = take();
            VarHandle.fullFence(); // pairs with takeSlot and takeLane
            if (taken > 0 && blocked) {
                blocked = false;
                events.onWritable();
            }
        } finally {
            gate.leave();
        }
        Failure failed = failure;
        if (failed != null) {
            events.onDown(failed.code, failed.nativeCode, failed.text);
            quiesce(failed.code, failed.nativeCode, backend.clock().nanos() + SELF_FENCE_NANOS);
        }
        return taken;
    }

    @Override
    public void arm() {
        if (gate.enter()) {
            try {
                backend.device().path().requestNotify(cq);
            } finally {
                gate.leave();
            }
        }
    }

    private int take() {
        int n = completions.poll(backend.device().path(), cq);
        for (int i = 0; i < n; i++) {
            int op = (int) completions.id(i);
            int status = completions.status(i);
            if (!live[op]) {
                continue; // a further request of an operation that has failed already
            }
            if (status == 0) {
                end(op, 0, 0);
            } else {
                long code = WcStatus.pack(status, completions.vendorError(i));
                end(op, WcStatus.codeOf(status).number(), code);
                fail(WcStatus.codeOf(status), code, WcStatus.describe(code));
            }
        }
        if (n < 0) {
            fail(ErrorCode.FABRIC, 0, "ibv_poll_cq gave " + n);
        }
        report();
        return Math.max(0, n);
    }

    private void end(int op, int code, long nativeCode) {
        tokens[batched] = token[op];
        codes[batched] = code;
        natives[batched] = nativeCode;
        live[op] = false;
        credit.addAndGet(lane[op], requests[op]);
        free.put(op);
        inFlight.decrementAndGet();
        if (++batched == BATCH) {
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
        return quiesce(ErrorCode.CANCELLED, 0, deadlineNanos);
    }

    /** Takes what has completed, destroys the queue pairs, and completes the rest with this code. */
    private boolean quiesce(ErrorCode code, long nativeCode, long deadlineNanos) {
        gate.shut();
        boolean locked = false;
        try {
            locked = closing.tryLock(Math.max(0, deadlineNanos - backend.clock().nanos()), TimeUnit.NANOSECONDS);
            if (!locked || quiet) {
                return quiet;
            }
            if (!gate.awaitEmpty(backend.clock(), deadlineNanos)) {
                return false;
            }
            backend.source().remove(this);
            Inbox inbox = wire.inbox;
            if (inbox != null) {
                backend.source().remove(inbox);
                if (!inbox.stop(backend.clock(), deadlineNanos)) {
                    return false;
                }
            }
            while (take() > 0) {
                // until the queue is empty: these have their true codes
            }
            wire.pairs.destroy();
            for (int op = 0; op < ops; op++) {
                if (live[op]) {
                    end(op, code.number(), nativeCode);
                }
            }
            report();
            backend.device().ibv().deregMr(wire.landingMr);
            backend.device().ibv().destroyCq(wire.cq);
            if (inbox != null) {
                inbox.free();
            }
            wire.arena.close();
            quiet = true;
            backend.forget(this);
            return true;
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
            return quiet;
        } catch (VerbsException refused) {
            backend.complain("ending the queue pairs to " + peer.key(), refused);
            return false;
        } finally {
            if (locked) {
                closing.unlock();
            }
        }
    }

    /** Takes note of what happened to the device; the next poll, by the progress thread, ends the link if it is concerned. */
    void onEvent(Ibv.AsyncEvent event, ErrorCode code, String what) {
        boolean mine = event.type() >= Ibv.AsyncEvent.DEVICE_FATAL || event.element() == cq;
        for (long qp : qps) {
            mine |= event.element() == qp;
        }
        if (mine) {
            fail(code, 0, what);
        }
    }

    boolean leadsTo(Peer other) {
        return peer.key().equals(other.key()) && peer.incarnation() == other.incarnation();
    }

    /** Ends it because the peer is cut off as an initiator, and could use a plain engine's queue pair from its end as well. */
    boolean cutOff(long deadlineNanos) {
        fail(ErrorCode.PEER_LOST, 0, "the peer was fenced here, and MORI-IO uses a queue pair both ways");
        Failure failed = failure;
        if (failed != null) {
            events.onDown(failed.code, failed.nativeCode, failed.text);
        }
        return quiesce(ErrorCode.PEER_LOST, 0, deadlineNanos);
    }

    @Override
    public LinkSnapshot snapshot() {
        return new LinkSnapshot(qps.length, List.of(backend.device().name()), List.of(), inFlight.get(), "");
    }

    @Override
    public void close() {
        if (!fence(
                backend.clock().nanos() + backend.capabilities().quiesceTime().toNanos())) {
            backend.complain("closing the link to " + peer.key() + " in time", null);
        }
        if (wire.inbox == null) {
            peer.send(QpAddress.encodeClose(wire.theirs.id()));
        }
    }
}
