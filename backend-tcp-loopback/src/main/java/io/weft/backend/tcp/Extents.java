package io.weft.backend.tcp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of byte ranges in local regions, as flat arrays that grow and are used again. A null region stands for bytes that
 * are read and thrown away. Confined to whoever fills it, then read-only until cleared.
 */
final class Extents {
    /**
     * Arrays beyond this are dropped when cleared, so that one huge operation does not pin memory for ever. Core is told to keep
     * operations within it, so that segments cost no allocation (rule BP-4).
     */
    static final int KEEP = 8_192;

    private @Nullable Region[] regions = new Region[4];
    private long[] offsets = new long[4];
    private long[] lengths = new long[4];
    private int count;
    private long total;

    void clear() {
        if (lengths.length > KEEP) {
            regions = new Region[4];
            offsets = new long[4];
            lengths = new long[4];
        } else {
            Arrays.fill(regions, 0, count, null);
        }
        count = 0;
        total = 0;
    }

    void ensure(int capacity) {
        if (capacity > lengths.length) {
            int doubled = lengths.length * 2;
            int grown = Math.max(capacity, lengths.length < KEEP ? Math.min(doubled, KEEP) : doubled);
            regions = Arrays.copyOf(regions, grown);
            offsets = Arrays.copyOf(offsets, grown);
            lengths = Arrays.copyOf(lengths, grown);
        }
    }

    void add(@Nullable Region region, long offset, long length) {
        ensure(count + 1);
        regions[count] = region;
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        total += length;
    }

    int count() {
        return count;
    }

    long total() {
        return total;
    }

    @Nullable
    Region region(int index) {
        return regions[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    long length(int index) {
        return lengths[index];
    }
}
