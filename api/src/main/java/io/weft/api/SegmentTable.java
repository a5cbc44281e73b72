package io.weft.api;

import java.util.Objects;

/**
 * Segments of a transfer as flat arrays: entry {@code i} moves {@code lengths[i]} bytes between local offset
 * {@code localOffsets[i]} and remote offset {@code remoteOffsets[i]}, offsets counted in bytes from the start of each
 * region. In a write the local side is the source, in a read the remote side is.
 *
 * <p>The arrays are not copied. Ownership: they belong to the engine during the call that gets the table and are the
 * caller's again when it returns; one table may be passed to many calls. Nothing is checked here, so that bad arguments
 * become a failed {@link Transfer} with a code (rules ERR-1, WR-5) and not an exception.
 *
 * <p>Threading: immutable if the caller leaves the arrays alone.
 *
 * @since 0.1
 */
public final class SegmentTable {
    private final long[] localOffsets;
    private final long[] remoteOffsets;
    private final long[] lengths;
    private final int from;
    private final int to;

    private SegmentTable(long[] localOffsets, long[] remoteOffsets, long[] lengths, int from, int to) {
        this.localOffsets = Objects.requireNonNull(localOffsets, "localOffsets");
        this.remoteOffsets = Objects.requireNonNull(remoteOffsets, "remoteOffsets");
        this.lengths = Objects.requireNonNull(lengths, "lengths");
        this.from = from;
        this.to = to;
    }

    /**
     * Wraps whole arrays. Arrays of different length are refused by the transfer call (rule WR-5).
     *
     * @param localOffsets byte offsets in the local region
     * @param remoteOffsets byte offsets in the remote region
     * @param lengths lengths in bytes, zero allowed
     * @return a table over the arrays
     */
    public static SegmentTable of(long[] localOffsets, long[] remoteOffsets, long[] lengths) {
        boolean same = localOffsets.length == lengths.length && remoteOffsets.length == lengths.length;
        return new SegmentTable(localOffsets, remoteOffsets, lengths, 0, same ? lengths.length : -1);
    }

    /**
     * Wraps a part of the arrays, so that one set of arrays can be reused.
     *
     * @param localOffsets byte offsets in the local region
     * @param remoteOffsets byte offsets in the remote region
     * @param lengths lengths in bytes
     * @param from first entry
     * @param to entry after the last
     * @return a table over that part; a range outside the arrays is refused by the transfer call
     */
    public static SegmentTable of(long[] localOffsets, long[] remoteOffsets, long[] lengths, int from, int to) {
        return new SegmentTable(localOffsets, remoteOffsets, lengths, from, to);
    }

    /**
     * A table of one segment.
     *
     * @param localOffset byte offset in the local region
     * @param remoteOffset byte offset in the remote region
     * @param length length in bytes
     * @return the table
     */
    public static SegmentTable single(long localOffset, long remoteOffset, long length) {
        return of(new long[] {localOffset}, new long[] {remoteOffset}, new long[] {length});
    }

    /**
     * Whether the arrays are long enough for the range.
     *
     * @return false for arrays of different length or a range outside them
     */
    public boolean isWellFormed() {
        return from >= 0
                && to >= from
                && to <= lengths.length
                && to <= localOffsets.length
                && to <= remoteOffsets.length;
    }

    /**
     * Number of segments.
     *
     * @return the count, 0 if not {@linkplain #isWellFormed() well formed}
     */
    public int size() {
        return isWellFormed() ? to - from : 0;
    }

    /**
     * First entry of the arrays that belongs to the table.
     *
     * @return an index
     */
    public int from() {
        return from;
    }

    /**
     * Entry after the last one.
     *
     * @return an index
     */
    public int to() {
        return to;
    }

    /**
     * The local offsets, not copied.
     *
     * @return the array
     */
    public long[] localOffsets() {
        return localOffsets;
    }

    /**
     * The remote offsets, not copied.
     *
     * @return the array
     */
    public long[] remoteOffsets() {
        return remoteOffsets;
    }

    /**
     * The lengths, not copied.
     *
     * @return the array
     */
    public long[] lengths() {
        return lengths;
    }
}
