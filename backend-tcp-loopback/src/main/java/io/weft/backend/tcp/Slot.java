package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An accepted operation of a {@link TcpLink}, recycled. Its state is guarded by its monitor, which is held for short table
 * work only; the segment arrays are written before the slot is offered to lanes and not before it is free again.
 */
final class Slot {
    private static final int KEEP = Extents.KEEP;

    private final Extents local = new Extents();
    private int[] remoteIds = new int[4];
    private long[] remoteOffsets = new long[4];

    private long token;
    private boolean active;
    private boolean get;
    private int allowedLanes;
    private int queuedLanes;
    private int usedLanes;
    private int cutIndex;
    private long cutWithin;
    private long uncut;
    private int outstanding;
    private boolean stopped;
    private int code;
    private long nativeCode;

    /** Takes an operation in; the caller has the slot for itself. */
    synchronized void fill(Operation operation, int lanes) {
        int segments = operation.segmentCount();
        local.clear();
        local.ensure(segments);
        if (segments > remoteIds.length || remoteIds.length > KEEP) {
            remoteIds = new int[segments];
            remoteOffsets = new long[segments];
        }
        long[] localOffsets = operation.localOffsets();
        long[] offsets = operation.remoteOffsets();
        long[] lengths = operation.lengths();
        int at = 0;
        for (int run = 0; run < operation.runCount(); run++) {
            Region region = (Region) operation.local(run);
            int id = ((Remote) operation.remote(run)).id();
            int from = operation.from(run);
            int to = operation.to(run);
            Arrays.fill(remoteIds, at, at + to - from, id);
            System.arraycopy(offsets, from, remoteOffsets, at, to - from);
            at += to - from;
            for (int i = from; i < to; i++) {
                local.add(region, localOffsets[i], lengths[i]);
            }
        }
        token = operation.token();
        get = operation.kind() == OperationKind.READ;
        allowedLanes = lanes;
        usedLanes = 0;
        cutIndex = 0;
        cutWithin = 0;
        uncut = local.total();
        outstanding = 0;
        stopped = false;
        code = 0;
        nativeCode = 0;
        active = true;
    }

    /** Puts the slot into a lane's queue, unless it is there already from an earlier use. */
    synchronized void offerTo(SlotQueue queue, int lane) {
        if ((queuedLanes & 1 << lane) == 0) {
            queuedLanes |= 1 << lane;
            queue.push(this);
        }
    }

    /** Where bytes of GET chunks go; unchanging while a chunk is unanswered. */
    Extents local() {
        return local;
    }

    synchronized long token() {
        return token;
    }

    synchronized boolean holds(long sought) {
        return active && token == sought;
    }

    synchronized int code() {
        return code;
    }

    synchronized long nativeCode() {
        return nativeCode;
    }

    synchronized int usedLanes() {
        return usedLanes;
    }

    private boolean isExhaustedFor(int lane) {
        boolean exhausted = !active || stopped || uncut == 0 || (allowedLanes & 1 << lane) == 0;
        if (exhausted) {
            queuedLanes &= ~(1 << lane);
        }
        return exhausted;
    }

    /** What {@link #cut} came to. */
    enum Cut {
        /** A chunk was written. */
        DONE,
        /** Too many chunks of this kind are unanswered on the lane; try again after an answer. */
        WINDOW_FULL,
        /** Nothing is left, and the lane drops the slot. */
        EXHAUSTED
    }

    /**
     * Cuts the next chunk: writes its request header and table to {@code out}, enters it into the ring of its kind and, for a
     * PUT, lists what to send.
     */
    synchronized Cut cut(
            int lane, int chunkBytes, ByteBuffer out, Extents payload, ChunkRing puts, ChunkRing gets, boolean askAck) {
        if (isExhaustedFor(lane)) {
            return Cut.EXHAUSTED;
        }
        ChunkRing ring = get ? gets : puts;
        if (ring.isFull()) {
            return Cut.WINDOW_FULL;
        }
        int start = out.position();
        int firstIndex = cutIndex;
        long firstWithin = cutWithin;
        out.position(start + LaneWire.REQUEST_BYTES);
        int bytes = 0;
        int segments = 0;
        int runs = 0;
        int runAt = 0;
        int runSegments = 0;
        while (uncut > 0 && bytes < chunkBytes && segments < LaneWire.MAX_SEGMENTS) {
            boolean newRun = runs == 0 || remoteIds[cutIndex] != out.getInt(runAt);
            int tableBytes = out.position() - start - LaneWire.REQUEST_BYTES;
            if (tableBytes + LaneWire.RUN_BYTES + LaneWire.SEGMENT_BYTES > LaneWire.MAX_TABLE) {
                break;
            }
            if (newRun) {
                runs++;
                runAt = out.position();
                runSegments = 0;
                out.putInt(remoteIds[cutIndex]).putInt(0);
            }
            int length = (int) Math.min(local.length(cutIndex) - cutWithin, chunkBytes - bytes);
            out.putLong(remoteOffsets[cutIndex] + cutWithin).putInt(length);
            out.putInt(runAt + 4, ++runSegments);
            if (!get) {
                payload.add(local.region(cutIndex), local.offset(cutIndex) + cutWithin, length);
            }
            segments++;
            bytes += length;
            uncut -= length;
            cutWithin += length;
            if (cutWithin == local.length(cutIndex)) {
                cutIndex++;
                cutWithin = 0;
            }
        }
        boolean ackNow = !get && (askAck || uncut == 0);
        out.put(start, get ? LaneWire.GET : LaneWire.PUT)
                .put(start + 1, ackNow ? LaneWire.ACK_NOW : 0)
                .putShort(start + 2, (short) runs)
                .putInt(start + 4, segments)
                .putInt(start + 8, bytes)
                .putInt(start + 12, ring.nextSequence());
        ring.push(this, firstIndex, firstWithin, bytes);
        outstanding++;
        usedLanes |= 1 << lane;
        return Cut.DONE;
    }

    /** The other lanes that hold unanswered PUT chunks of an operation whose last chunk was just cut; a set of bits. */
    synchronized int lanesToSync(int lane) {
        return get || uncut > 0 ? 0 : usedLanes & ~(1 << lane);
    }

    /** One chunk was answered; true if that ends the operation, which exactly one caller is told. */
    synchronized boolean settle() {
        outstanding--;
        return endIfOver();
    }

    /** A chunk was refused: the rest is not cut. */
    synchronized void fail(int errorNumber, long reason) {
        if (code == 0) {
            code = errorNumber;
            nativeCode = reason;
        }
        stopped = true;
    }

    /** Withdraws what is not cut. False if all is. */
    synchronized boolean stop(long sought) {
        if (!active || token != sought || stopped || uncut == 0) {
            return false;
        }
        fail(ErrorCode.CANCELLED.number(), 0);
        return true;
    }

    /** True if the operation is over, which exactly one caller is told. */
    synchronized boolean endIfOver() {
        if (active && outstanding == 0 && (stopped || uncut == 0)) {
            active = false;
            return true;
        }
        return false;
    }

    /** Ends the operation with the link; true if it was still running. */
    synchronized boolean endWithLink() {
        boolean was = active;
        active = false;
        return was;
    }
}
