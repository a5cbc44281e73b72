package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.FiMsgRma;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;

/**
 * One operation, flattened into addresses, and how far it has been posted. The arrays of an {@link Operation} are core's again after
 * {@code post}, so what a provider does not take at once must be kept here.
 *
 * <p>Confined to the poster.
 */
final class SegmentPlan {
    private final int perMessage;
    private final long[] local;
    private final long[] descriptor;
    private final long[] remote;
    private final long[] key;
    private final long[] length;
    private int count;
    private int cursor;

    int op;
    boolean write;

    SegmentPlan(int segments, int perMessage) {
        this.perMessage = perMessage;
        local = new long[segments];
        descriptor = new long[segments];
        remote = new long[segments];
        key = new long[segments];
        length = new long[segments];
    }

    void fill(Operation operation) {
        count = 0;
        cursor = 0;
        write = operation.kind() == OperationKind.WRITE;
        long[] localOffsets = operation.localOffsets();
        long[] remoteOffsets = operation.remoteOffsets();
        long[] lengths = operation.lengths();
        for (int run = 0; run < operation.runCount(); run++) {
            Region region = (Region) operation.local(run);
            RemoteRegion target = (RemoteRegion) operation.remote(run);
            long localBase = region.spec().address();
            int to = operation.to(run);
            for (int i = operation.from(run); i < to; i++) {
                local[count] = localBase + localOffsets[i];
                descriptor[count] = region.descriptor();
                remote[count] = target.base() + remoteOffsets[i];
                key[count] = target.key();
                length[count] = lengths[i];
                count++;
            }
        }
    }

    /** Provider operations that it takes. */
    int parts() {
        return (count + perMessage - 1) / perMessage;
    }

    boolean isPosted() {
        return cursor == count;
    }

    /** Writes the next part into a message; returns its segments. */
    int next(FiMsgRma message) {
        int taken = Math.min(perMessage, count - cursor);
        message.clear();
        for (int i = cursor; i < cursor + taken; i++) {
            message.add(local[i], descriptor[i], remote[i], key[i], length[i]);
        }
        return taken;
    }

    void posted(int segments) {
        cursor += segments;
    }
}
