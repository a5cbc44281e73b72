package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to a Weft peer: a few lanes of the lane protocol, over which this side is the initiator. */
final class TcpLink implements Link {
    private final TcpBackend backend;
    private final Peer peer;
    private final LinkEvents events;
    private final OutboundLane[] lanes;
    private final long stripeBytes;

    /** Guards the four fields below; held for a few instructions only. */
    private final Object slotLock = new Object();

    private final Slot[] slots;
    private final Slot[] free;
    private int freeCount;
    private boolean starved;
    private boolean down;

    private final AtomicInteger callers = new AtomicInteger();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    TcpLink(TcpBackend backend, Peer peer, LinkEvents events, List<Connection> connections, int chunkBytes) {
        this.backend = backend;
        this.peer = peer;
        this.events = events;
        this.stripeBytes = backend.settings().stripeBytes();
        this.slots = new Slot[backend.settings().operations()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot();
        }
        this.free = slots.clone();
        this.freeCount = free.length;
        this.lanes = new OutboundLane[connections.size()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new OutboundLane(this, i, connections.get(i), chunkBytes, backend);
        }
    }

    OutboundLane lane(int index) {
        return lanes[index];
    }

    /** Makes the lanes read; before this nobody may post. */
    void start() {
        for (OutboundLane lane : lanes) {
            Connection connection = lane.connection();
            boolean running = connection.reactor().execute(() -> {
                connection.handOver(lane);
                if (connection.isClosed()) {
                    lane.onClosed(new EOFException("the connection was closed while the link came up"));
                } else {
                    connection.wantReadable(true);
                }
            });
            if (!running) {
                lose(new IOException("the tcp backend is closed"));
            }
        }
    }

    @Override
    public int post(Operation operation) {
        // Seen by whoever ends the link, which waits until a post that began before has left.
        callers.incrementAndGet();
        try {
            return postWhileUp(operation);
        } finally {
            callers.decrementAndGet();
        }
    }

    private int postWhileUp(Operation operation) {
        Slot slot;
        synchronized (slotLock) {
            if (down) {
                return ErrorCode.PEER_LOST.number();
            }
            if (freeCount == 0) {
                starved = true;
                return WOULD_BLOCK;
            }
            slot = free[--freeCount];
        }
        int first = 0;
        int count = Math.clamp(operation.totalBytes() / stripeBytes, 1, lanes.length);
        if (count == 1) {
            first = idlest();
        }
        slot.fill(operation, ((1 << count) - 1) << first);
        for (int i = first; i < first + count; i++) {
            lanes[i].offer(slot);
        }
        for (int i = first; i < first + count; i++) {
            lanes[i].drive();
        }
        return ACCEPTED;
    }

    private int idlest() {
        int best = 0;
        for (int i = 0; i < lanes.length; i++) {
            int load = lanes[i].load();
            if (load == 0) {
                return i;
            }
            if (load < lanes[best].load()) {
                best = i;
            }
        }
        return best;
    }

    /** Asks for acknowledgement on a set of lanes. */
    void sync(int laneBits) {
        for (int bits = laneBits; bits != 0; bits &= bits - 1) {
            lanes[Integer.numberOfTrailingZeros(bits)].sync();
        }
    }

    /** Frees a slot whose operation is over and reports it. */
    void end(Slot slot, Completions completions) {
        long token = slot.token();
        int code = slot.code();
        long nativeCode = slot.nativeCode();
        release(slot);
        completions.add(token, code, nativeCode);
    }

    private void release(Slot slot) {
        boolean tell;
        synchronized (slotLock) {
            free[freeCount++] = slot;
            tell = starved;
            starved = false;
        }
        if (tell) {
            events.onWritable();
        }
    }

    @Override
    public boolean cancel(long token) {
        // As for a post: what it ends must be told before the link says that it has ended.
        callers.incrementAndGet();
        try {
            return cancelWhileUp(token);
        } finally {
            callers.decrementAndGet();
        }
    }

    private boolean cancelWhileUp(long token) {
        for (Slot slot : slots) {
            if (slot.holds(token)) {
                int used = slot.usedLanes();
                if (!slot.stop(token)) {
                    return false;
                }
                if (slot.endIfOver()) {
                    Completions one = new Completions(backend.context().completions());
                    end(slot, one);
                    one.flush();
                } else {
                    sync(used | slot.usedLanes());
                }
                return true;
            }
        }
        return false;
    }

    /** The link broke; any thread, also several at once. */
    void lose(Throwable cause) {
        if (cause instanceof ProtocolException) {
            backend.counters().malformed().add(1);
            shut(ErrorCode.PROTOCOL, "tcp link to " + peer.key() + " closed: " + cause.getMessage(), true);
        } else if (cause instanceof IOException) {
            shut(ErrorCode.PEER_LOST, "tcp link to " + peer.key() + " is gone: " + cause.getMessage(), true);
        } else {
            shut(ErrorCode.INTERNAL, "tcp link to " + peer.key() + " failed by a defect: " + cause, true);
        }
    }

    private void shut(ErrorCode code, String text, boolean tell) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        synchronized (slotLock) {
            down = true;
        }
        AtomicInteger left = new AtomicInteger(lanes.length);
        for (OutboundLane lane : lanes) {
            Runnable retire = () -> {
                lane.connection().reset(new IOException(text));
                lane.retire();
                if (left.decrementAndGet() == 0) {
                    failAll(code, text, tell);
                }
            };
            if (!lane.connection().reactor().execute(retire)) {
                // The reactor has ended and has reset its connections. Not on this thread, which may be driving the
                // lane.
                Thread.ofVirtual().start(retire);
            }
        }
    }

    private void failAll(ErrorCode code, String text, boolean tell) {
        while (callers.get() > 0) {
            // What they begin or end would be missed else. They find the lanes closed and leave at once.
            Thread.yield();
        }
        Completions completions = new Completions(backend.context().completions());
        for (Slot slot : slots) {
            if (slot.endWithLink()) {
                boolean withdrawn = slot.code() != 0;
                completions.add(slot.token(), withdrawn ? slot.code() : code.number(), slot.nativeCode());
            }
        }
        completions.flush();
        backend.forget(this);
        ended.countDown();
        if (tell) {
            events.onDown(code, 0, text);
        }
    }

    @Override
    public boolean fence(long deadlineNanos) {
        shut(ErrorCode.CANCELLED, "the link was fenced", false);
        return Waiting.await(ended, backend.context().clock(), deadlineNanos);
    }

    @Override
    public LinkSnapshot snapshot() {
        List<Long> moved = new ArrayList<>();
        for (OutboundLane lane : lanes) {
            moved.add(lane.bytesMoved());
        }
        int inFlight;
        synchronized (slotLock) {
            inFlight = slots.length - freeCount;
        }
        return new LinkSnapshot(lanes.length, List.of(), moved, inFlight, "lane protocol " + LaneWire.VERSION);
    }

    @Override
    public void close() {
        fence(backend.context().clock().nanos() + TcpBackend.QUIESCE.toNanos());
    }
}
