package io.weft.kv.plan;

import io.weft.api.SegmentTable;
import java.util.Arrays;

/**
 * Segments of one plan in flat arrays that are kept and filled again.
 *
 * <p>Confined to one thread. A table made of it is valid until the next {@link #clear}.
 *
 * @since 0.1
 */
public final class SegmentPlan {
    private long[] local;
    private long[] remote;
    private long[] lengths;
    private int size;

    /** An empty plan. */
    public SegmentPlan() {
        this(64);
    }

    /**
     * An empty plan with room.
     *
     * @param capacity segments that fit before the arrays grow
     */
    public SegmentPlan(int capacity) {
        local = new long[capacity];
        remote = new long[capacity];
        lengths = new long[capacity];
    }

    /** Forgets the segments and keeps the arrays. */
    public void clear() {
        size = 0;
    }

    /**
     * Adds a segment.
     *
     * @param localOffset byte offset in the local region
     * @param remoteOffset byte offset in the remote region
     * @param length bytes
     */
    public void add(long localOffset, long remoteOffset, long length) {
        if (size == lengths.length) {
            reserve(1);
        }
        local[size] = localOffset;
        remote[size] = remoteOffset;
        lengths[size] = length;
        size++;
    }

    /**
     * Makes room for more segments at once.
     *
     * @param more how many
     */
    public void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > lengths.length) {
            int capacity = Math.max(needed, lengths.length + (lengths.length >> 1));
            local = Arrays.copyOf(local, capacity);
            remote = Arrays.copyOf(remote, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
        }
    }

    /**
     * Number of segments.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * Whether there is nothing to move.
     *
     * @return true without segments
     */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * Local offset of a segment.
     *
     * @param i index below {@link #size}
     * @return bytes from the start of the local region
     */
    public long localOffset(int i) {
        return local[i];
    }

    /**
     * Remote offset of a segment.
     *
     * @param i index below {@link #size}
     * @return bytes from the start of the remote region
     */
    public long remoteOffset(int i) {
        return remote[i];
    }

    /**
     * Length of a segment.
     *
     * @param i index below {@link #size}
     * @return bytes
     */
    public long length(int i) {
        return lengths[i];
    }

    /**
     * Sum of the lengths.
     *
     * @return bytes
     */
    public long bytes() {
        long sum = 0;
        for (int i = 0; i < size; i++) {
            sum += lengths[i];
        }
        return sum;
    }

    /**
     * The segments as the engine takes them, without copying.
     *
     * @return a table over the arrays, valid until the next {@link #clear}
     */
    public SegmentTable table() {
        return SegmentTable.of(local, remote, lengths, 0, size);
    }

    /** Fills without bounds checks on capacity; the caller reserved. */
    void fill(int count, long localFrom, long localStep, long remoteFrom, long remoteStep, long length) {
        long l = localFrom;
        long r = remoteFrom;
        int end = size + count;
        for (int i = size; i < end; i++) {
            local[i] = l;
            remote[i] = r;
            lengths[i] = length;
            l += localStep;
            r += remoteStep;
        }
        size = end;
    }
}
