package io.weft.backend.tcp;

import java.io.IOException;

/** The lanes of an operation as they come in: each once, with exactly its share. Guarded by the session. */
abstract class V3Lanes {
    private final Extents extents = new Extents();
    private int lanes;
    private int begun;
    private int left;

    /** Where payload goes, or comes from. */
    final Extents extents() {
        return extents;
    }

    final void expect(int laneCount) {
        lanes = laneCount;
        begun = 0;
        left = laneCount;
    }

    final int lanes() {
        return lanes;
    }

    final int lanesLeft() {
        return left;
    }

    final boolean hasBegun() {
        return begun != 0;
    }

    /** A lane's header came. */
    final void begin(int lane, long bytes, Cursor into) throws ProtocolException {
        if (lane >= lanes || (begun & 1 << lane) != 0 || bytes != V3.laneBytes(extents.total(), lanes, lane)) {
            throw new ProtocolException("lane " + lane + " of " + lanes + " with " + Long.toUnsignedString(bytes)
                    + " bytes of " + extents.total());
        }
        begun |= 1 << lane;
        if (bytes > 0) {
            into.startAt(extents, V3.laneStart(extents.total(), lanes, lane), bytes);
        }
    }

    /** A lane's payload is in memory, or was thrown away in part. */
    final void end(boolean spoiled) throws IOException {
        left--;
        onLane(spoiled);
    }

    /** One lane less, whichever way it went. */
    final void laneGone() {
        left--;
    }

    abstract void onLane(boolean spoiled) throws IOException;
}
