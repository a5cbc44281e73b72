package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One lane of a {@link TcpLink}, seen from the initiator. Sending may be driven by any thread, one at a time: whoever posts
 * writes to the socket itself as long as that takes bytes, the reactor goes on when it does not. Receiving belongs to the
 * reactor.
 */
final class OutboundLane extends FrameReader implements FrameSource {
    /** Most bytes that a posting thread sends itself before it leaves the rest to the reactor. */
    private static final long INLINE_BYTES = 1 << 20;
    /** Most bytes sent before another connection gets its turn. */
    private static final long TURN_BYTES = 2 << 20;
    /** After so many PUT chunks an acknowledgement is asked for, also in the middle of an operation. */
    private static final int ACK_EVERY = 8;

    /** With chunks of this size under way, waiting a little longer for answers costs nothing. */
    private static final int BULK_BYTES = 128 << 10;

    private static final int PUT_WINDOW = 1_024;
    private static final int CLOSED = Integer.MIN_VALUE / 2;

    private final TcpLink link;
    private final int index;
    private final Connection connection;
    private final int chunkBytes;
    private final ChunkRing puts = new ChunkRing(PUT_WINDOW);
    private final ChunkRing gets = new ChunkRing(LaneWire.GET_WINDOW);
    private final SlotQueue offered;
    private final AtomicInteger driving = new AtomicInteger();
    private volatile boolean syncWanted;
    private volatile boolean windowFull;
    /** True while a PUT chunk may be unanswered for which no acknowledgement was asked. */
    private volatile boolean unasked;

    // Belongs to whoever drives.
    private final SlotQueue active;
    private final Extents outgoing = new Extents();
    private final Outlet outlet;
    private int activeCount;
    private int sinceAckAsked;

    // Belongs to the reactor; others read the counter.
    private final Completions completions;
    private volatile long bytesMoved;

    OutboundLane(TcpLink link, int index, Connection connection, int chunkBytes, TcpBackend backend) {
        super(SlabPool.SLAB_BYTES, LaneWire.REQUEST_BYTES);
        this.link = link;
        this.index = index;
        this.connection = connection;
        this.chunkBytes = chunkBytes;
        this.offered = new SlotQueue(backend.settings().operations());
        this.active = new SlotQueue(backend.settings().operations());
        this.outlet = new Outlet(backend.slabs());
        this.completions = new Completions(backend.context().completions());
    }

    @Override
    Connection connection() {
        return connection;
    }

    long bytesMoved() {
        return bytesMoved;
    }

    /** Roughly how many chunks and operations wait here; any thread. */
    int load() {
        return puts.size() + gets.size() + activeCount;
    }

    /** Gives the lane work; {@link #drive} afterwards. Called by one posting thread at a time. */
    void offer(Slot slot) {
        slot.offerTo(offered, index);
    }

    /** Asks the target to acknowledge all it has. */
    void sync() {
        if (unasked) {
            syncWanted = true;
            drive();
        }
    }

    /** Sends what there is, unless another thread is at it, which then sees what was added. */
    void drive() {
        if (driving.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            driveOnce();
            seen = driving.addAndGet(-seen);
        } while (seen != 0);
    }

    private void driveOnce() {
        try {
            boolean foreign = !connection.reactor().isCurrent();
            var result = outlet.pump(connection.channel(), this, foreign ? INLINE_BYTES : TURN_BYTES);
            if (result != Outlet.Result.DRAINED) {
                connection.wantWritable(true);
            }
        } catch (IOException | RuntimeException failed) {
            link.lose(failed);
        }
    }

    /** Stops driving for good; when it returns nobody sends from local memory any more. Reactor only, after the reset. */
    void retire() {
        while (!driving.compareAndSet(0, CLOSED)) {
            // A poster that is inside leaves as soon as it sees the closed channel.
            Thread.yield();
        }
        outlet.release();
    }

    @Override
    public boolean runsAhead() {
        return true;
    }

    @Override
    public boolean next(ByteBuffer out, Cursor payload) {
        for (Slot slot = offered.poll(); slot != null; slot = offered.poll()) {
            active.push(slot);
            activeCount++;
        }
        int tries = activeCount;
        while (tries-- > 0) {
            Slot slot = active.poll();
            if (slot == null) {
                break;
            }
            int start = out.position();
            outgoing.clear();
            boolean before = unasked;
            // Set ahead of the cut, so that whoever cuts the operation's last chunk sees it.
            unasked = true;
            switch (slot.cut(index, chunkBytes, out, outgoing, puts, gets, sinceAckAsked + 1 >= ACK_EVERY)) {
                case EXHAUSTED -> {
                    unasked = before;
                    activeCount--;
                }
                case WINDOW_FULL -> {
                    unasked = before;
                    active.push(slot);
                    if (!windowFull) {
                        // Look once more, since answers may have come between the look and the flag.
                        windowFull = true;
                        tries = activeCount;
                    }
                }
                case DONE -> {
                    active.push(slot);
                    if (outgoing.count() == 0) {
                        unasked = before;
                    } else {
                        boolean asked = out.get(start + 1) == LaneWire.ACK_NOW;
                        unasked = !asked;
                        sinceAckAsked = asked ? 0 : sinceAckAsked + 1;
                        payload.start(outgoing);
                        link.sync(slot.lanesToSync(index));
                    }
                    return true;
                }
            }
        }
        return syncWanted && writeSync(out);
    }

    /** An empty PUT: its acknowledgement covers all before it. */
    private boolean writeSync(ByteBuffer out) {
        if (puts.isFull()) {
            windowFull = true;
            return false;
        }
        syncWanted = false;
        unasked = false;
        sinceAckAsked = 0;
        out.put(LaneWire.PUT)
                .put(LaneWire.ACK_NOW)
                .putShort((short) 0)
                .putInt(0)
                .putInt(0);
        out.putInt(puts.nextSequence());
        puts.push(null, 0, 0, 0);
        return true;
    }

    @Override
    public void onWritable() {
        // Whoever drives asks again if the socket fills again; until then the selector must not report it.
        connection.wantWritable(false);
        drive();
    }

    @Override
    boolean onFrame(ByteBuffer in) throws IOException {
        if (in.remaining() < LaneWire.REPLY_BYTES) {
            return false;
        }
        int at = in.position();
        int sequence = in.getInt(at + 4);
        switch (in.get(at)) {
            case LaneWire.ACK -> acknowledged(sequence);
            case LaneWire.NAK -> refused(in.get(at + 1), sequence, in.get(at + 2));
            case LaneWire.DATA -> {
                if (in.remaining() < LaneWire.REPLY_BYTES + Integer.BYTES) {
                    return false;
                }
                expectData(sequence, in.getInt(at + LaneWire.REPLY_BYTES));
                in.position(at + Integer.BYTES);
            }
            default -> throw new ProtocolException("lane reply of unknown type " + in.get(at));
        }
        in.position(in.position() + LaneWire.REPLY_BYTES);
        return true;
    }

    private void acknowledged(int sequence) throws ProtocolException {
        if (!puts.holds(sequence)) {
            throw new ProtocolException("acknowledgement of chunk " + sequence + ", which is not open");
        }
        while (puts.first() - sequence <= 0) {
            settle(puts);
        }
    }

    private void refused(byte kind, int sequence, byte reason) throws ProtocolException {
        ChunkRing ring = kind == LaneWire.GET ? gets : puts;
        if (!ring.holds(sequence) || (ring == gets && ring.first() != sequence)) {
            throw new ProtocolException("refusal of chunk " + sequence + ", which is not due");
        }
        Slot slot = ring.slot(sequence);
        Refusal refusal = Refusal.of(reason);
        if (slot == null || refusal == Refusal.NONE) {
            throw new ProtocolException("refusal of chunk " + sequence + " for reason " + reason);
        }
        slot.fail(refusal.code().number(), reason);
        if (ring == gets) {
            settle(gets);
        } else {
            link.sync(slot.usedLanes());
        }
    }

    private void expectData(int sequence, int bytes) throws ProtocolException {
        if (!gets.holds(sequence) || gets.first() != sequence || gets.bytes(sequence) != bytes) {
            throw new ProtocolException("data of " + bytes + " bytes for chunk " + sequence + ", which is not due");
        }
        Slot slot = gets.slot(sequence);
        if (slot != null) {
            incoming.start(slot.local(), gets.index(sequence), gets.within(sequence), bytes);
        }
    }

    @Override
    void onPayload() {
        incoming.stop();
        settle(gets);
    }

    private void settle(ChunkRing ring) {
        Slot slot = ring.slot(ring.first());
        int bytes = ring.bytes(ring.first());
        bytesMoved += bytes;
        if (bytes >= BULK_BYTES) {
            connection.reactor().bulk();
        }
        ring.pop();
        if (slot != null && slot.settle()) {
            link.end(slot, completions);
        }
    }

    @Override
    void onRoundEnd() {
        completions.flush();
        if (windowFull) {
            windowFull = false;
            drive();
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        // A round that broke off may have ended operations before.
        completions.flush();
        link.lose(cause);
    }
}
