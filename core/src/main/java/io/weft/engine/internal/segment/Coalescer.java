package io.weft.engine.internal.segment;

import io.weft.api.SegmentTable;
import java.util.Arrays;

/**
 * Brings a caller's segments into a plan: checks bounds, drops empty ones, sorts by remote offset, merges neighbours that touch
 * on both sides, and finds overlaps at the destination. One pass if the caller's segments are sorted, which they mostly are.
 * Keeps its scratch arrays; confined to one thread at a time.
 */
public final class Coalescer {
    /** Answer of {@link #add} and {@link #checkRuns}. */
    public enum Outcome {
        /** Added. */
        OK,
        /** {@link #badIndex} names a segment that is negative, overflows or leaves a region. */
        OUT_OF_RANGE,
        /** {@link #badOffset} is named twice at the destination. */
        OVERLAP,
        /** The runs' regions lie so much over each other that looking for overlaps would take too much memory. */
        TOO_TANGLED
    }

    /** Most segments that are compared one by one over runs whose extents touch. */
    public static final int MOST_COMPARED = 1 << 24;

    /** Scratch above this many entries is not kept between transfers. */
    private static final int KEPT_ENTRIES = 1 << 18;

    private final RadixSort sort = new RadixSort();
    private long[] scratch = new long[0];

    private int badIndex;
    private long badOffset;
    private long lowest;
    private long highest;

    /** Makes a coalescer without scratch. */
    public Coalescer() {}

    /**
     * Which segment was out of range.
     *
     * @return index relative to the table's first segment
     */
    public int badIndex() {
        return badIndex;
    }

    /**
     * Where destination segments overlap.
     *
     * @return offset in the destination region; after {@link #checkRuns} an address
     */
    public long badOffset() {
        return badOffset;
    }

    /**
     * Adds a table's segments at the end of a plan that has room for them.
     *
     * @param plan where to
     * @param table a well-formed table
     * @param localLimit length of the shortest local region
     * @param remoteLimit length of the shortest remote region
     * @param toRemote whether the destination is the remote side
     * @return what came of it; unless OK the plan is to be thrown away
     */
    public Outcome add(SegmentPlan plan, SegmentTable table, long localLimit, long remoteLimit, boolean toRemote) {
        long[] local = table.localOffsets();
        long[] remote = table.remoteOffsets();
        long[] length = table.lengths();
        int first = plan.size;
        int n = first; // plan fields are written once, at the end
        boolean sorted = true;
        boolean localAscends = true;
        long localEnd = 0;
        long remoteEnd = 0;
        long previousRemote = -1;
        for (int i = table.from(); i < table.to(); i++) {
            long l = local[i];
            long r = remote[i];
            long bytes = length[i];
            if ((l | r | bytes) < 0 || l > localLimit - bytes || r > remoteLimit - bytes) {
                badIndex = i - table.from();
                return Outcome.OUT_OF_RANGE;
            }
            if (bytes == 0) {
                continue;
            }
            if (sorted && r == remoteEnd && l == localEnd && n > first) {
                plan.length[n - 1] += bytes;
                localEnd += bytes;
                remoteEnd += bytes;
                continue;
            }
            if (sorted) {
                if (r < previousRemote) {
                    sorted = false;
                } else if (toRemote && r < remoteEnd) {
                    badOffset = r;
                    return Outcome.OVERLAP;
                }
                localAscends &= l >= localEnd;
                previousRemote = r;
                localEnd = l + bytes;
                remoteEnd = r + bytes;
            }
            plan.local[n] = l;
            plan.remote[n] = r;
            plan.length[n++] = bytes;
        }
        plan.size = n;
        if (!sorted && !sortAndMerge(plan, first, toRemote)) {
            return Outcome.OVERLAP;
        }
        if (!toRemote && !(sorted && localAscends) && !localsDisjoint(plan, first)) {
            return Outcome.OVERLAP;
        }
        return Outcome.OK;
    }

    /** Sorts the plan's tail by remote offset and merges it; false if the destination is remote and overlaps. */
    private boolean sortAndMerge(SegmentPlan plan, int first, boolean toRemote) {
        int n = plan.size - first;
        sort.prepare(n);
        System.arraycopy(plan.remote, first, sort.keys, 0, n);
        sort.sort(n);
        prepareScratch(n);
        // Side by side, since they are fetched together from anywhere.
        for (int i = 0; i < n; i++) {
            scratch[2 * i] = plan.local[first + i];
            scratch[2 * i + 1] = plan.length[first + i];
        }
        int to = first;
        long localEnd = -1;
        long remoteEnd = -1;
        for (int i = 0; i < n; i++) {
            int from = sort.origin[i];
            long l = scratch[2 * from];
            long r = sort.keys[i];
            long bytes = scratch[2 * from + 1];
            if (toRemote && r < remoteEnd) {
                badOffset = r;
                return false;
            }
            if (r == remoteEnd && l == localEnd) {
                plan.length[to - 1] += bytes;
            } else {
                plan.local[to] = l;
                plan.remote[to] = r;
                plan.length[to++] = bytes;
            }
            localEnd = l + bytes;
            remoteEnd = r + bytes;
        }
        plan.size = to;
        return true;
    }

    private boolean localsDisjoint(SegmentPlan plan, int first) {
        int n = plan.size - first;
        sort.prepare(n);
        System.arraycopy(plan.local, first, sort.keys, 0, n);
        sort.sort(n);
        for (int i = 1; i < n; i++) {
            if (sort.keys[i] < sort.keys[i - 1] + plan.length[first + sort.origin[i - 1]]) {
                badOffset = sort.keys[i];
                return false;
            }
        }
        return true;
    }

    /**
     * Finds destination bytes that two runs name, across regions too: registered regions may overlap (rule REG-3).
     *
     * @param plan all runs are added
     * @param toRemote whether the destination is the remote side
     * @return OK, OVERLAP or TOO_TANGLED
     */
    public Outcome checkRuns(SegmentPlan plan, boolean toRemote) {
        int runs = plan.runs;
        if (runs < 2) {
            return Outcome.OK;
        }
        long[] from = new long[runs];
        long[] to = new long[runs];
        int rangeFrom = -1;
        int rangeTo = -1;
        for (int r = 0; r < runs; r++) {
            if (plan.runFrom[r] != rangeFrom || plan.runTo[r] != rangeTo) {
                rangeFrom = plan.runFrom[r];
                rangeTo = plan.runTo[r];
                measure(toRemote ? plan.remote : plan.local, plan.length, rangeFrom, rangeTo);
            }
            from[r] = plan.runBase[r] + lowest;
            to[r] = plan.runBase[r] + highest;
        }
        sort.prepare(runs);
        System.arraycopy(from, 0, sort.keys, 0, runs);
        sort.sort(runs);
        int[] order = Arrays.copyOf(sort.origin, runs);
        for (int i = 0; i < runs; ) {
            long end = to[order[i]];
            int after = i + 1;
            while (after < runs && Long.compareUnsigned(from[order[after]], end) < 0) {
                end = maxUnsigned(end, to[order[after++]]);
            }
            Outcome outcome = after - i > 1 ? compare(plan, order, i, after, toRemote) : Outcome.OK;
            if (outcome != Outcome.OK) {
                return outcome;
            }
            i = after;
        }
        return Outcome.OK;
    }

    /** Looks at every segment of runs whose extents touch, one address space after the other. */
    private Outcome compare(SegmentPlan plan, int[] order, int first, int after, boolean toRemote) {
        for (int i = first; i < after; i++) {
            int space = plan.runSpace[order[i]];
            boolean seen = false;
            for (int j = first; j < i && !seen; j++) {
                seen = plan.runSpace[order[j]] == space;
            }
            Outcome outcome = seen ? Outcome.OK : compareIn(space, plan, order, i, after, toRemote);
            if (outcome != Outcome.OK) {
                return outcome;
            }
        }
        return Outcome.OK;
    }

    private Outcome compareIn(int space, SegmentPlan plan, int[] order, int first, int after, boolean toRemote) {
        long[] offsets = toRemote ? plan.remote : plan.local;
        long total = 0;
        for (int i = first; i < after; i++) {
            int run = order[i];
            total += plan.runSpace[run] == space ? plan.runTo[run] - plan.runFrom[run] : 0;
        }
        if (total > MOST_COMPARED) {
            return Outcome.TOO_TANGLED;
        }
        int n = (int) total;
        sort.prepare(n);
        prepareScratch(n);
        int at = 0;
        for (int i = first; i < after; i++) {
            int run = order[i];
            for (int s = plan.runFrom[run]; plan.runSpace[run] == space && s < plan.runTo[run]; s++) {
                sort.keys[at] = plan.runBase[run] + offsets[s];
                scratch[at++] = plan.length[s];
            }
        }
        sort.sort(n);
        for (int i = 1; i < n; i++) {
            long end = sort.keys[i - 1] + scratch[sort.origin[i - 1]];
            if (Long.compareUnsigned(sort.keys[i], end) < 0) {
                badOffset = sort.keys[i];
                return Outcome.OVERLAP;
            }
        }
        return Outcome.OK;
    }

    private void measure(long[] offsets, long[] length, int from, int to) {
        lowest = from < to ? Long.MAX_VALUE : 0;
        highest = 0;
        for (int i = from; i < to; i++) {
            lowest = Math.min(lowest, offsets[i]);
            highest = Math.max(highest, offsets[i] + length[i]);
        }
    }

    private static long maxUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    private void prepareScratch(int n) {
        if (scratch.length < 2 * n) {
            scratch = new long[2 * Math.max(64, Integer.highestOneBit(n - 1) << 1)];
        }
    }

    /** Lets go of unusually large scratch. */
    public void trim() {
        if (scratch.length > 2 * KEPT_ENTRIES || sort.capacity() > KEPT_ENTRIES) {
            scratch = new long[0];
            sort.trim();
        }
    }
}
