package io.weft.backend.tcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A request of this side to a plain peer: one run of an operation. Recycled; guarded by its session. */
final class V3Request extends V3Lanes implements V3Frame, V3Payload.Owner {
    private final V3Initiator initiator;
    private long[] remoteOffsets = new long[4];
    private int written;
    private boolean headWritten;

    long operation;
    int memory;
    boolean read;
    boolean requestSent;
    boolean completed;
    int status;

    @Nullable
    V3Operation owner;

    V3Request(V3Initiator initiator) {
        this.initiator = initiator;
    }

    void begin(long operationId, int memoryId, boolean isRead, V3Operation of) {
        operation = operationId;
        memory = memoryId;
        read = isRead;
        owner = of;
        requestSent = false;
        completed = false;
        status = 0;
        written = 0;
        headWritten = false;
        extents().clear();
    }

    void add(Region region, long localOffset, long remoteOffset, long length) {
        int at = extents().count();
        if (at == remoteOffsets.length) {
            remoteOffsets = Arrays.copyOf(remoteOffsets, at * 2);
        }
        remoteOffsets[at] = remoteOffset;
        extents().add(region, localOffset, length);
    }

    @Override
    public boolean write(ByteBuffer out) {
        int segments = extents().count();
        if (segments == 1) {
            V3.linear(
                    out,
                    read ? V3.READ : V3.WRITE,
                    operation,
                    memory,
                    remoteOffsets[0],
                    extents().length(0),
                    lanes());
            return sent();
        }
        if (!headWritten) {
            headWritten = true;
            V3.batchHead(out, read ? V3.BATCH_READ : V3.BATCH_WRITE, operation, memory, segments);
        }
        while (written < segments && out.remaining() > V3.SEGMENT_BYTES) {
            out.putLong(remoteOffsets[written]).putLong(extents().length(written));
            written++;
        }
        if (written < segments) {
            return false;
        }
        out.put((byte) lanes());
        return sent();
    }

    private boolean sent() {
        requestSent = true;
        initiator.progress(this);
        return true;
    }

    @Override
    public void onLaneSent() {
        laneGone();
        initiator.progress(this);
    }

    @Override
    void onLane(boolean spoiled) {
        initiator.progress(this);
    }
}
