package io.weft.backend.tcp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A chunk request as the target reads it, table entry by table entry, and checks it: every segment against a live region, its
 * bounds and its rights. Recycled; confined to the reactor.
 */
final class ChunkRequest {
    private final RegionTable regions;
    private final Extents extents = new Extents();

    private boolean get;
    private boolean ackNow;
    private int sequence;
    private int bytes;
    private int runsLeft;
    private int segmentsLeft;
    private int runSegmentsLeft;
    private int listed;
    private @Nullable Region region;
    private Refusal refusal = Refusal.NONE;

    ChunkRequest(RegionTable regions) {
        this.regions = regions;
    }

    /** Reads the fixed part, {@link LaneWire#REQUEST_BYTES} long. */
    void begin(ByteBuffer in, int maxBytes) throws ProtocolException {
        byte type = in.get();
        ackNow = (in.get() & LaneWire.ACK_NOW) != 0;
        runsLeft = Short.toUnsignedInt(in.getShort());
        segmentsLeft = in.getInt();
        bytes = in.getInt();
        sequence = in.getInt();
        get = type == LaneWire.GET;
        listed = 0;
        runSegmentsLeft = 0;
        region = null;
        refusal = Refusal.NONE;
        extents.clear();
        boolean sync = !get && ackNow && runsLeft == 0 && segmentsLeft == 0 && bytes == 0;
        if (!sync
                && ((type != LaneWire.PUT && type != LaneWire.GET)
                        || bytes < 1
                        || bytes > maxBytes
                        || segmentsLeft < 1
                        || segmentsLeft > Math.min(bytes, LaneWire.MAX_SEGMENTS)
                        || runsLeft < 1
                        || runsLeft > segmentsLeft
                        || LaneWire.tableBytes(runsLeft, segmentsLeft) > LaneWire.MAX_TABLE)) {
            throw new ProtocolException("chunk request of type " + type + " with " + runsLeft + " runs, " + segmentsLeft
                    + " segments and " + bytes + " bytes");
        }
    }

    /** Reads as much of the table as is there; true when it is complete. */
    boolean readTable(ByteBuffer in) throws ProtocolException {
        while (segmentsLeft > 0) {
            if (runSegmentsLeft == 0) {
                if (in.remaining() < LaneWire.RUN_BYTES) {
                    return false;
                }
                beginRun(in.getInt(), in.getInt());
            }
            if (in.remaining() < LaneWire.SEGMENT_BYTES) {
                return false;
            }
            segment(in.getLong(), in.getInt());
        }
        if (runsLeft != 0 || listed != bytes) {
            throw new ProtocolException(
                    "chunk table of " + listed + " bytes for a payload of " + bytes + ", " + runsLeft + " runs unused");
        }
        if (refusal != Refusal.NONE) {
            discard();
        }
        return true;
    }

    private void beginRun(int regionId, int segments) throws ProtocolException {
        if (runsLeft == 0 || segments < 1 || segments > segmentsLeft) {
            throw new ProtocolException("run of " + segments + " segments where " + segmentsLeft + " are left");
        }
        runsLeft--;
        runSegmentsLeft = segments;
        region = regions.find(regionId);
        if (region == null || !region.isLive()) {
            refuse(Refusal.UNKNOWN_REGION);
        } else if (get ? !region.peersMayRead() : !region.peersMayWrite()) {
            refuse(Refusal.NO_RIGHT);
        }
    }

    private void segment(long offset, int length) throws ProtocolException {
        if (length < 1 || length > bytes - listed) {
            throw new ProtocolException("segment of " + length + " bytes where " + (bytes - listed) + " are left");
        }
        segmentsLeft--;
        runSegmentsLeft--;
        listed += length;
        if (region != null && !region.contains(offset, length)) {
            refuse(Refusal.OUT_OF_BOUNDS);
        }
        if (refusal == Refusal.NONE) {
            extents.add(region, offset, length);
        }
    }

    /** The first reason stands. */
    void refuse(Refusal why) {
        if (refusal == Refusal.NONE) {
            refusal = why;
        }
    }

    private void discard() {
        extents.clear();
        extents.add(null, 0, bytes);
    }

    boolean isGet() {
        return get;
    }

    /** A PUT without payload that only asks for an acknowledgement. */
    boolean isSync() {
        return bytes == 0;
    }

    boolean wantsAck() {
        return ackNow;
    }

    int sequence() {
        return sequence;
    }

    int bytes() {
        return bytes;
    }

    Refusal refusal() {
        return refusal;
    }

    /** Where the bytes go or come from; bytes to throw away if the request is refused. */
    Extents extents() {
        return extents;
    }
}
