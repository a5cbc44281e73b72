package io.weft.cli.bench;

import io.weft.api.SegmentTable;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which bytes one row of a benchmark moves. Both processes make the same plan from the same numbers. Memory is a row of slots;
 * a batch takes the next slots, and begins anew at the end of the working set.
 *
 * <p>Immutable but for its arrays, which are read only.
 *
 * @param size bytes of a segment
 * @param batch segments of a transfer
 * @param layout how segments lie to each other
 * @param slots slots in the working set, a multiple of the batch
 */
public record BenchPlan(long size, int batch, Layout layout, int slots) {
    /** Bytes between segments that must not be merged; what a MORI-IO benchmark uses, too. */
    static final int GAP = 64;

    private static final long SHUFFLE_SEED = 1;

    /** How the segments of a batch lie to each other. */
    public enum Layout {
        /** Side by side, so that an engine may merge them. */
        CONTIGUOUS,
        /** In order on both sides, 64 bytes apart. */
        GAP,
        /** In order at the target, 64 bytes apart, and in random order in the whole working set here, like pages of a cache. */
        SHUFFLED
    }

    /**
     * Makes a plan.
     *
     * @param size bytes of a segment, at least 1
     * @param batch segments of a transfer, at least 1
     * @param layout how segments lie to each other
     * @param workingSetBytes how much memory the transfers rotate over; 0 for one batch
     * @return a plan of at least one batch
     */
    public static BenchPlan of(long size, int batch, Layout layout, long workingSetBytes) {
        long stride = size + (layout == Layout.CONTIGUOUS ? 0 : GAP);
        long batches = Math.max(1, workingSetBytes / stride / batch);
        return new BenchPlan(size, batch, layout, Math.toIntExact(batches * batch));
    }

    long stride() {
        return size + (layout == Layout.CONTIGUOUS ? 0 : GAP);
    }

    long regionBytes() {
        return slots * stride();
    }

    int positions() {
        return slots / batch;
    }

    long bytesPerTransfer() {
        return size * batch;
    }

    /** Offset of each slot at the target. */
    long[] remoteOffsets() {
        return IntStream.range(0, slots).mapToLong(i -> i * stride()).toArray();
    }

    /** Offset of each slot here. */
    long[] localOffsets() {
        long[] offsets = remoteOffsets();
        if (layout == Layout.SHUFFLED) {
            Random random = new Random(SHUFFLE_SEED);
            for (int i = offsets.length - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                long kept = offsets[i];
                offsets[i] = offsets[other];
                offsets[other] = kept;
            }
        }
        return offsets;
    }

    /** One table for each position, made before anything is timed. */
    List<SegmentTable> tables() {
        long[] local = localOffsets();
        long[] remote = remoteOffsets();
        long[] lengths = new long[slots];
        Arrays.fill(lengths, size);
        return IntStream.range(0, positions())
                .mapToObj(p -> SegmentTable.of(local, remote, lengths, p * batch, (p + 1) * batch))
                .toList();
    }
}
