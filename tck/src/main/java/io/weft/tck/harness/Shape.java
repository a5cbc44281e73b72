package io.weft.tck.harness;

import io.weft.api.SegmentTable;
import io.weft.spi.Limits;
import io.weft.tck.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Segments of a transfer: how many, how long, and where.
 *
 * @param name for people
 * @param count segments
 * @param shortest bytes of the shortest
 * @param longest bytes of the longest
 * @param layout how they lie in the regions
 * @param shuffled whether they come in random order
 */
public record Shape(String name, int count, int shortest, int longest, Layout layout, boolean shuffled) {
    /** How segments lie in a region. */
    public enum Layout {
        /** One after the other, so that all can be merged. */
        CONTIGUOUS,
        /** With equal gaps. */
        STRIDED,
        /** With random gaps, at odd offsets, the source in another order than the destination. */
        SCATTERED
    }

    private static final int MOST_BYTES = 64 << 20;
    private static final int MOST_SEGMENTS = 100_000;

    /**
     * The shapes of a profile.
     *
     * @param profile the profile
     * @param limits of the backend; a shape is made on either side of each limit
     * @return the shapes, the smallest first
     */
    public static List<Shape> of(Profile profile, Limits limits) {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(one("1 byte", 1));
        shapes.add(new Shape("64 scattered", 64, 1, 300, Layout.SCATTERED, true));
        if (profile == Profile.QUICK) {
            return shapes;
        }
        shapes.add(one("4 KiB", 4096));
        shapes.add(one("1 MiB and a byte", (1 << 20) + 1));
        shapes.add(new Shape("100 contiguous pages", 100, 4096, 4096, Layout.CONTIGUOUS, false));
        shapes.add(new Shape("100 contiguous pages, shuffled", 100, 4096, 4096, Layout.CONTIGUOUS, true));
        shapes.add(new Shape("1 000 strided", 1000, 64, 64, Layout.STRIDED, false));
        shapes.add(new Shape("10 000 scattered", 10_000, 1, 40, Layout.SCATTERED, true));
        aroundLimits(limits, shapes);
        if (profile == Profile.FULL) {
            shapes.add(one("16 MiB", 16 << 20));
            shapes.add(one("64 MiB", MOST_BYTES));
            shapes.add(new Shape("100 000 contiguous", MOST_SEGMENTS, 1, 100, Layout.CONTIGUOUS, true));
            shapes.add(new Shape("100 000 strided", MOST_SEGMENTS, 64, 64, Layout.STRIDED, false));
            shapes.add(new Shape("100 000 scattered", MOST_SEGMENTS, 1, 100, Layout.SCATTERED, true));
        }
        return shapes;
    }

    private static Shape one(String name, int bytes) {
        return new Shape(name, 1, bytes, bytes, Layout.CONTIGUOUS, false);
    }

    private static void aroundLimits(Limits limits, List<Shape> shapes) {
        for (int by = -1; by <= 1; by++) {
            String side = by < 0 ? " less 1" : by > 0 ? " and 1" : "";
            if (limits.segmentsPerOperation() < MOST_SEGMENTS && limits.segmentsPerOperation() + by > 0) {
                shapes.add(new Shape(
                        "segments per operation" + side,
                        limits.segmentsPerOperation() + by,
                        1,
                        9,
                        Layout.SCATTERED,
                        true));
            }
            if (limits.segmentBytes() < MOST_BYTES / 4) {
                shapes.add(one("segment bytes" + side, Math.max(1, (int) limits.segmentBytes() + by)));
            }
            if (limits.operationBytes() < MOST_BYTES / 4) {
                shapes.add(one("operation bytes" + side, Math.max(1, (int) limits.operationBytes() + by)));
            }
        }
    }

    /**
     * Places the segments. Neither sources nor destinations overlap, so that the table serves writes and reads.
     *
     * @param random where from
     * @return the table
     */
    public SegmentTable table(SplittableRandom random) {
        long[] lengths = new long[count];
        for (int i = 0; i < count; i++) {
            lengths[i] = shortest == longest ? shortest : random.nextInt(shortest, longest + 1);
        }
        long[] remote = place(lengths, identity(count), random);
        int[] localOrder = layout == Layout.SCATTERED ? shuffle(identity(count), random) : identity(count);
        long[] local = place(lengths, localOrder, random);
        if (shuffled) {
            int[] order = shuffle(identity(count), random);
            return SegmentTable.of(pick(local, order), pick(remote, order), pick(lengths, order));
        }
        return SegmentTable.of(local, remote, lengths);
    }

    /**
     * Bytes that a region needs for a table, with room behind it that must stay untouched.
     *
     * @param table a table
     * @return region length
     */
    public static long regionBytes(SegmentTable table) {
        long end = 0;
        for (int i = table.from(); i < table.to(); i++) {
            long furthest = Math.max(table.localOffsets()[i], table.remoteOffsets()[i]);
            end = Math.max(end, furthest + table.lengths()[i]);
        }
        return end + 61;
    }

    private long[] place(long[] lengths, int[] order, SplittableRandom random) {
        long[] offsets = new long[lengths.length];
        long at = layout == Layout.CONTIGUOUS ? 64 : 13;
        for (int index : order) {
            offsets[index] = at;
            at += lengths[index]
                    + switch (layout) {
                        case CONTIGUOUS -> 0;
                        case STRIDED -> 128;
                        case SCATTERED -> 1 + random.nextInt(23);
                    };
        }
        return offsets;
    }

    private static int[] identity(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        return order;
    }

    private static int[] shuffle(int[] order, SplittableRandom random) {
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return order;
    }

    private static long[] pick(long[] values, int[] order) {
        long[] picked = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            picked[i] = values[order[i]];
        }
        return picked;
    }

    @Override
    public String toString() {
        return name;
    }
}
