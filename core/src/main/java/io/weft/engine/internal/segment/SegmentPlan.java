package io.weft.engine.internal.segment;

import java.util.Arrays;

/**
 * What a transfer moves, in the engine's own arrays: coalesced segments, and runs over them. A run is one region pair and a
 * range of segments; pairs that share a table share the range. Pooled: arrays grow and stay. Confined to whoever holds it.
 */
public class SegmentPlan {
    /** Byte offsets in the local region, per segment. */
    public long[] local;
    /** Byte offsets in the remote region, per segment; ascending inside a run. */
    public long[] remote;
    /** Bytes, per segment, at least 1. */
    public long[] length;
    /** Segments in the arrays. */
    public int size;

    /** First segment, per run. */
    public int[] runFrom = new int[2];
    /** Segment after the last, per run. */
    public int[] runTo = new int[2];
    /** Address of the destination region, per run, unsigned. */
    public long[] runBase = new long[2];
    /** Which address space the destination is in, per run: equal numbers are comparable. */
    public int[] runSpace = new int[2];
    /** Runs in the arrays. */
    public int runs;

    private final int sizeClass;

    /**
     * Makes a plan.
     *
     * @param sizeClass binary logarithm of the segments it has room for
     */
    protected SegmentPlan(int sizeClass) {
        this.sizeClass = sizeClass;
        int capacity = 1 << sizeClass;
        local = new long[capacity];
        remote = new long[capacity];
        length = new long[capacity];
    }

    final int sizeClass() {
        return sizeClass;
    }

    /** Makes it empty and lets go of what it refers to. */
    protected void clear() {
        size = 0;
        runs = 0;
    }

    /**
     * Makes room for runs.
     *
     * @param count how many there will be
     */
    public void ensureRuns(int count) {
        if (runFrom.length < count) {
            int capacity = Math.max(count, runFrom.length * 2);
            runFrom = Arrays.copyOf(runFrom, capacity);
            runTo = Arrays.copyOf(runTo, capacity);
            runBase = Arrays.copyOf(runBase, capacity);
            runSpace = Arrays.copyOf(runSpace, capacity);
        }
    }

    /**
     * Adds a run.
     *
     * @param from first segment
     * @param to segment after the last
     * @param base address of the destination region
     * @param space its address space
     * @return the run's index
     */
    public int addRun(int from, int to, long base, int space) {
        ensureRuns(runs + 1);
        runFrom[runs] = from;
        runTo[runs] = to;
        runBase[runs] = base;
        runSpace[runs] = space;
        return runs++;
    }

    /**
     * Segments over all runs.
     *
     * @return a count, shared segments counted once for each run
     */
    public int totalSegments() {
        long total = 0;
        for (int r = 0; r < runs; r++) {
            total += runTo[r] - runFrom[r];
        }
        return (int) Math.min(total, Integer.MAX_VALUE);
    }

    /**
     * Bytes over all runs.
     *
     * @return bytes, {@link Long#MAX_VALUE} if they overflow
     */
    public long totalBytes() {
        long total = 0;
        int from = -1;
        int to = -1;
        long ofRange = 0;
        for (int r = 0; r < runs; r++) {
            if (runFrom[r] != from || runTo[r] != to) {
                from = runFrom[r];
                to = runTo[r];
                ofRange = bytes(from, to);
            }
            total += ofRange;
            if (total < 0) {
                return Long.MAX_VALUE;
            }
        }
        return total;
    }

    private long bytes(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += length[i];
        }
        return sum;
    }
}
