package io.weft.backend.rdma;

import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.Notification;
import io.weft.backend.rdma.verbs.Completions;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.ReceiveBuffers;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.Gate;
import io.weft.spi.EngineClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The receiving side of a queue pair with a plain MORI-IO engine: buffers that are posted before the engine hears of the queue pair, and
 * again after each notification, so that its sends never wait. Polled by the progress thread; opened and ended by control threads.
 */
final class Inbox implements Polled {
    /** Takes notifications on the progress thread; must not block. */
    interface Arrivals {
        void onNotification(Notification notification);

        void onMalformed(WeftException why);
    }

    private static final int BATCH = 32;

    private final RdmaDevice device;
    private final Arrivals arrivals;
    private final Gate gate = new Gate();
    private final Arena arena;
    private final ReceiveBuffers buffers;
    private final Completions completions;
    private final Ibv.Mr mr;
    final MemorySegment cq;
    private long qp;
    private boolean broken;

    private Inbox(RdmaDevice device, int receives, Arrivals arrivals, Arena arena) throws VerbsException {
        this.device = device;
        this.arrivals = arrivals;
        this.arena = arena;
        buffers = new ReceiveBuffers(arena, receives, Notification.BYTES);
        completions = new Completions(arena, BATCH);
        MemorySegment memory = buffers.memory();
        mr = device.ibv().regMr(device.pd(), memory.address(), memory.byteSize(), Region.LOCAL_WRITE);
        try {
            // In error every posted buffer completes.
            cq = device.ibv().createCq(device.context(), receives + 1, device.channel());
        } catch (VerbsException refused) {
            device.ibv().deregMr(mr);
            throw refused;
        }
    }

    static Inbox open(RdmaDevice device, int receives, Arrivals arrivals) throws VerbsException {
        Arena arena = Arena.ofShared();
        try {
            return new Inbox(device, receives, arrivals, arena);
        } catch (VerbsException refused) {
            arena.close();
            throw refused;
        }
    }

    /** Posts all buffers to a queue pair that was made with this inbox's completion queue. Before the first poll. */
    void attach(QueuePair pair) throws VerbsException {
        qp = pair.qp.address();
        int errno = buffers.postAll(device.path(), qp, mr.lkey());
        if (errno != 0) {
            throw new VerbsException("ibv_post_recv", device.name(), errno);
        }
    }

    @Override
    public int poll() {
        if (broken || !gate.enter()) {
            return 0;
        }
        try {
            int n = completions.poll(device.path(), cq.address());
            for (int i = 0; i < n && !broken; i++) {
                take(i);
            }
            return Math.max(0, n);
        } finally {
            gate.leave();
        }
    }

    /** A flushed buffer means that the queue pair has ended: whoever used it finds out by the other completion queue. */
    private void take(int i) {
        if (completions.status(i) != 0) {
            broken = true;
            return;
        }
        int index = (int) completions.id(i);
        try {
            arrivals.onNotification(Notification.read(
                    buffers.buffer(index).asSlice(0, Math.min(completions.length(i), Notification.BYTES))));
        } catch (WeftException malformed) {
            arrivals.onMalformed(malformed);
        }
        broken = buffers.post(device.path(), qp, index) != 0;
    }

    @Override
    public void arm() {
        if (!broken && gate.enter()) {
            try {
                device.path().requestNotify(cq.address());
            } finally {
                gate.leave();
            }
        }
    }

    /** Sends the progress thread away for good. Before the queue pair is destroyed. */
    boolean stop(EngineClock clock, long deadlineNanos) {
        gate.shut();
        return gate.awaitEmpty(clock, deadlineNanos);
    }

    /** Frees everything, once it was stopped and the queue pair is gone. */
    void free() throws VerbsException {
        device.ibv().destroyCq(cq);
        device.ibv().deregMr(mr);
        arena.close();
    }
}
