package io.weft.backend.tcp;

import org.jspecify.annotations.Nullable;

/** A data frame that waits to be sent: one lane's share of an operation. Recycled; guarded by its session. */
final class V3Payload {
    /** What hears that the payload left registered memory. */
    interface Owner {
        /** One lane was handed over. */
        void onLaneSent();
    }

    byte kind;
    int lane;
    long operation;
    long bytes;

    @Nullable
    Extents extents;

    long start;

    @Nullable
    Owner owner;

    V3Payload fill(byte kind, int lane, int lanes, long operation, Extents extents, Owner owner) {
        this.kind = kind;
        this.lane = lane;
        this.operation = operation;
        this.bytes = V3.laneBytes(extents.total(), lanes, lane);
        this.start = V3.laneStart(extents.total(), lanes, lane);
        this.extents = extents;
        this.owner = owner;
        return this;
    }
}
