package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One lane seen from the target: takes chunks, checks every segment, puts payload into regions, answers in order. Keeps no
 * state of operations. Confined to the reactor.
 */
final class InboundLane extends FrameReader implements FrameSource {
    /** A peer that lets so many refusals pile up does not read its answers. */
    private static final int MAX_REFUSALS = 4_096;

    private final Connection connection;
    private final InboundLink link;
    private final int chunkBytes;
    private final Sender sender;
    private final Counters counters;

    private final ChunkRequest put;
    private final ArrayDeque<ChunkRequest> openGets = new ArrayDeque<>();
    private final ArrayDeque<ChunkRequest> spareGets = new ArrayDeque<>();
    private final RegionTable regions;
    /** Its extents are being sent, so it is not spare yet. */
    private @Nullable ChunkRequest answering;

    private ChunkRequest current;
    private boolean inTable;
    private int nextPut;
    private int nextGet;
    private boolean ackDue;
    private int ackSequence;
    private final ArrayDeque<Long> refusals = new ArrayDeque<>();

    InboundLane(Connection connection, InboundLink link, TcpBackend backend) {
        super(SlabPool.SLAB_BYTES, LaneWire.REQUEST_BYTES);
        this.connection = connection;
        this.link = link;
        this.chunkBytes = link.chunkBytes();
        this.sender = new Sender(connection, this, backend.slabs());
        this.counters = backend.counters();
        this.regions = backend.regions();
        this.put = new ChunkRequest(regions);
        this.current = put;
    }

    @Override
    Connection connection() {
        return connection;
    }

    @Override
    boolean onFrame(ByteBuffer in) throws IOException {
        if (!inTable) {
            if (in.remaining() < LaneWire.REQUEST_BYTES) {
                return false;
            }
            current = in.get(in.position()) == LaneWire.GET ? spareGet() : put;
            current.begin(in, chunkBytes);
            inTable = true;
        }
        if (!current.readTable(in)) {
            return false;
        }
        inTable = false;
        begin(current);
        return true;
    }

    private ChunkRequest spareGet() throws ProtocolException {
        if (openGets.size() >= LaneWire.GET_WINDOW) {
            throw new ProtocolException("more than " + LaneWire.GET_WINDOW + " read chunks open on a lane");
        }
        ChunkRequest spare = spareGets.poll();
        return spare == null ? new ChunkRequest(regions) : spare;
    }

    private void begin(ChunkRequest request) throws ProtocolException {
        int due = request.isGet() ? nextGet++ : nextPut++;
        if (request.sequence() != due) {
            throw new ProtocolException("chunk " + request.sequence() + " where " + due + " was due");
        }
        if (request.isGet()) {
            openGets.add(request);
        } else if (request.isSync()) {
            acknowledge(request);
        } else {
            incoming.start(request.extents());
        }
    }

    @Override
    void onPayload() throws IOException {
        if (incoming.isSpoiled()) {
            put.refuse(Refusal.DEREGISTERED);
        }
        incoming.stop();
        counters.bytesIn().add(put.bytes());
        if (put.refusal() != Refusal.NONE) {
            counters.refused().add(1);
            refuse(put);
        }
        acknowledge(put);
    }

    private void refuse(ChunkRequest request) throws ProtocolException {
        if (refusals.size() >= MAX_REFUSALS) {
            throw new ProtocolException("the peer does not read its refusals");
        }
        refusals.add((long) request.refusal().ordinal() << 32 | Integer.toUnsignedLong(request.sequence()));
    }

    private void acknowledge(ChunkRequest request) {
        ackSequence = request.sequence();
        ackDue |= request.wantsAck();
    }

    @Override
    void onRoundEnd() throws IOException {
        if (ackDue || !openGets.isEmpty() || !refusals.isEmpty()) {
            sender.send();
        }
    }

    @Override
    public void onWritable() throws IOException {
        sender.send();
    }

    @Override
    public boolean runsAhead() {
        return true;
    }

    @Override
    public boolean next(ByteBuffer out, Cursor payload) {
        if (answering != null) {
            spareGets.push(answering);
            answering = null;
        }
        Long refused = refusals.poll();
        if (refused != null) {
            int reason = (int) (refused >>> 32);
            writeHead(out, LaneWire.NAK, LaneWire.PUT, (byte) reason, refused.intValue());
            return true;
        }
        if (ackDue) {
            ackDue = false;
            writeHead(out, LaneWire.ACK, (byte) 0, (byte) 0, ackSequence);
            return true;
        }
        ChunkRequest open = openGets.poll();
        if (open == null) {
            return false;
        }
        answer(open, out, payload);
        return true;
    }

    private void answer(ChunkRequest open, ByteBuffer out, Cursor payload) {
        if (open.refusal() == Refusal.NONE) {
            writeHead(out, LaneWire.DATA, (byte) 0, (byte) 0, open.sequence());
            out.putInt(open.bytes());
            payload.start(open.extents());
            counters.bytesOut().add(open.bytes());
        } else {
            counters.refused().add(1);
            writeHead(out, LaneWire.NAK, LaneWire.GET, (byte) open.refusal().ordinal(), open.sequence());
        }
        answering = open;
    }

    private static void writeHead(ByteBuffer out, byte type, byte kind, byte reason, int sequence) {
        out.put(type).put(kind).put(reason).put((byte) 0).putInt(sequence);
    }

    @Override
    public void onClosed(Throwable cause) {
        sender.release();
        link.lose(cause);
    }
}
