package io.weft.api;

import java.util.Objects;

/**
 * One element of {@code batchWrite} and {@code batchRead}: the segments of one region pair, which become one transfer.
 *
 * <p>Immutable if the table's arrays are left alone.
 *
 * @param pair the regions
 * @param segments the segments between them
 * @since 0.1
 */
public record PairTransfer(RegionPair pair, SegmentTable segments) {
    /** Checks for null only. */
    public PairTransfer {
        Objects.requireNonNull(pair, "pair");
        Objects.requireNonNull(segments, "segments");
    }
}
