package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The target's half of a {@link V3Session}: serves a plain peer's writes and reads. Guarded by the session. */
final class V3Target {
    /** As many as MORI serves of one peer. */
    private static final int MOST_OPERATIONS = 1_024;
    /** Segments in all live operations of the peer, so that its tables cannot fill the memory. */
    private static final int MOST_SEGMENTS = 1 << 20;

    private final V3Session session;
    private final TcpBackend backend;
    private final LongMap<V3Inbound> writes = new LongMap<>();
    private final List<V3Inbound> reads = new ArrayList<>();
    private final ArrayDeque<V3Inbound> parkedReads = new ArrayDeque<>();
    private final ArrayDeque<V3Inbound> spare = new ArrayDeque<>();
    private int segments;

    V3Target(V3Session session, TcpBackend backend) {
        this.session = session;
        this.backend = backend;
    }

    @Nullable
    V3Lanes lanesOf(long operation) {
        return writes.get(operation);
    }

    /** Begins to read a request. */
    V3Inbound begin(long operation, boolean read) throws ProtocolException {
        if (!read && writes.get(operation) != null) {
            throw new ProtocolException("write " + Long.toUnsignedString(operation) + " is open already");
        }
        if ((read ? reads.size() : writes.size()) >= MOST_OPERATIONS) {
            throw new ProtocolException("more than " + MOST_OPERATIONS + " operations open");
        }
        V3Inbound inbound = spare.poll();
        if (inbound == null) {
            inbound = new V3Inbound(this);
        }
        long deadline = backend.context().clock().nanos() + backend.settings().plainTimeoutNanos();
        inbound.begin(operation, read, deadline);
        return inbound;
    }

    /**
     * Checks one segment and adds it.
     *
     * @param outOfBounds what MORI answers for a segment outside the region in a request of this kind
     */
    void segment(V3Inbound inbound, int memory, long offset, long size, int outOfBounds) throws ProtocolException {
        if (size < 0 || inbound.extents().total() + size < 0) {
            throw new ProtocolException("segments of more than 2^63 bytes");
        }
        Region region = backend.regions().find(memory);
        String what = inbound.read ? "TCP: invalid read request" : "TCP: invalid write request";
        if (region == null || !region.isLive()) {
            inbound.refuse(inbound.read ? 12 : 11, what);
        } else if (!region.contains(offset, size)) {
            inbound.refuse(outOfBounds, what);
        } else if (inbound.read ? !region.peersMayRead() : !region.peersMayWrite()) {
            inbound.refuse(inbound.read ? 12 : 11, what);
        }
        if (inbound.status == 0 && segments + inbound.segments >= MOST_SEGMENTS) {
            inbound.refuse(Refusal.BUSY.moriCode(), Refusal.BUSY.text());
        }
        if (inbound.status == 0) {
            inbound.extents().add(region, offset, size);
            inbound.segments++;
        } else {
            long total = inbound.extents().total() + size;
            inbound.extents().clear();
            inbound.extents().add(null, 0, total);
            inbound.segments = 0;
        }
    }

    /** The request is complete. */
    void start(V3Inbound inbound, int lanes) throws IOException {
        if (lanes < 1 || lanes > V3.MAX_LANES) {
            throw new ProtocolException("an operation over " + lanes + " lanes");
        }
        inbound.expect(lanes);
        segments += inbound.segments;
        if (!inbound.read) {
            writes.put(inbound.operation, inbound);
            if (inbound.status != 0) {
                answer(inbound);
            }
            session.resumeParked(inbound.operation);
            return;
        }
        reads.add(inbound);
        if (inbound.status != 0) {
            answer(inbound);
        } else if (session.hasData()) {
            serve(inbound);
        } else {
            parkedReads.add(inbound);
        }
    }

    void serveParked() throws IOException {
        for (V3Inbound read = parkedReads.poll(); read != null; read = parkedReads.poll()) {
            serve(read);
        }
    }

    private void serve(V3Inbound read) throws IOException {
        backend.counters().bytesOut().add(read.extents().total());
        session.sendPayload(V3.READ_PAYLOAD, read.operation, read.extents(), read.lanes(), read);
    }

    void laneIn(V3Inbound write) throws IOException {
        if (write.lanesLeft() == 0) {
            backend.counters().bytesIn().add(write.extents().total());
            if (!write.answered) {
                answer(write);
            }
            recycle(write);
        }
    }

    void laneOut(V3Inbound read) {
        if (read.lanesLeft() == 0) {
            try {
                answer(read);
            } catch (IOException failed) {
                // Sending from within sending: the control connection reports its own failure to the session.
                session.lose(failed);
            }
        }
    }

    private void answer(V3Inbound inbound) throws IOException {
        inbound.answered = true;
        if (inbound.status != 0) {
            backend.counters().refused().add(1);
        }
        int code = inbound.status == 0 ? 0 : inbound.code().number();
        backend.context().inbound().onInbound(session.peer(), inbound.operation, code, inbound.text);
        session.sendControl(inbound);
    }

    void answerOut(V3Inbound inbound) {
        recycle(inbound);
    }

    /** Frees the object when both its data and its answer are through. */
    private void recycle(V3Inbound inbound) {
        boolean dataDue = inbound.lanesLeft() > 0 && !(inbound.read && inbound.status != 0);
        if (!inbound.live || !inbound.answerSent || dataDue) {
            return;
        }
        inbound.live = false;
        segments -= inbound.segments;
        if (inbound.read) {
            reads.remove(inbound);
        } else {
            writes.remove(inbound.operation);
        }
        inbound.extents().clear();
        spare.push(inbound);
    }

    void expire(long now) throws IOException {
        V3Inbound late = writes.findFirst(write -> now - write.deadlineNanos > 0);
        for (V3Inbound read : reads) {
            late = now - read.deadlineNanos > 0 ? read : late;
        }
        if (late != null) {
            throw new IOException("operation " + Long.toUnsignedString(late.operation) + " did not end in time");
        }
    }

    /** Reports what was not answered yet as failed. */
    void failAll(String text) {
        List<V3Inbound> open = new ArrayList<>(reads);
        writes.forEach(open::add);
        for (V3Inbound inbound : open) {
            if (!inbound.answered) {
                backend.context()
                        .inbound()
                        .onInbound(session.peer(), inbound.operation, ErrorCode.PEER_LOST.number(), text);
            }
        }
    }
}
