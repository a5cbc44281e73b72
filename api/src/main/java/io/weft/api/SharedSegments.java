package io.weft.api;

import java.util.List;
import java.util.Objects;

/**
 * One element of {@code writeMulti} and {@code readMulti}: a segment table that holds for each of several region pairs,
 * as a list of KV pages does for every layer's buffer. The table is validated, sorted and coalesced once.
 *
 * <p>Immutable if the table's arrays are left alone.
 *
 * @param pairs the regions, all remote ones of the same peer
 * @param segments the segments, the same between each pair
 * @since 0.1
 */
public record SharedSegments(List<RegionPair> pairs, SegmentTable segments) {
    /** Copies the list. */
    public SharedSegments {
        pairs = List.copyOf(pairs);
        Objects.requireNonNull(segments, "segments");
    }
}
