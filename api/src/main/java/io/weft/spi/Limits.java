package io.weft.spi;

/**
 * What one operation, link or backend may hold. Core splits and queues so that no limit is ever passed.
 *
 * <p>Immutable; safe from any thread. {@code with...} methods return copies.
 *
 * @since 0.1
 */
public final class Limits {
    /** No limit that matters, and up to 256 operations in flight on a link. */
    public static final Limits NONE = new Limits(
            Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 256, Integer.MAX_VALUE, Long.MAX_VALUE, false);

    private final int segmentsPerOperation;
    private final long segmentBytes;
    private final long operationBytes;
    private final int operationsInFlight;
    private final int regions;
    private final long regionBytes;
    private final boolean singleOperation;

    private Limits(
            int segmentsPerOperation,
            long segmentBytes,
            long operationBytes,
            int operationsInFlight,
            int regions,
            long regionBytes,
            boolean singleOperation) {
        this.segmentsPerOperation = segmentsPerOperation;
        this.segmentBytes = segmentBytes;
        this.operationBytes = operationBytes;
        this.operationsInFlight = operationsInFlight;
        this.regions = regions;
        this.regionBytes = regionBytes;
        this.singleOperation = singleOperation;
    }

    private static long positive(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " limit is " + value + ", must be at least 1");
        }
        return value;
    }

    /**
     * Most segments in one operation, over all its runs.
     *
     * @param most at least 1
     * @return a copy
     */
    public Limits withSegmentsPerOperation(int most) {
        return new Limits(
                (int) positive("segments per operation", most),
                segmentBytes,
                operationBytes,
                operationsInFlight,
                regions,
                regionBytes,
                singleOperation);
    }

    /**
     * Most bytes in one segment.
     *
     * @param most at least 1
     * @return a copy
     */
    public Limits withSegmentBytes(long most) {
        return new Limits(
                segmentsPerOperation,
                positive("segment bytes", most),
                operationBytes,
                operationsInFlight,
                regions,
                regionBytes,
                singleOperation);
    }

    /**
     * Most bytes in one operation.
     *
     * @param most at least 1
     * @return a copy
     */
    public Limits withOperationBytes(long most) {
        return new Limits(
                segmentsPerOperation,
                segmentBytes,
                positive("operation bytes", most),
                operationsInFlight,
                regions,
                regionBytes,
                singleOperation);
    }

    /**
     * Most accepted and not completed operations of one link.
     *
     * @param most at least 1
     * @return a copy
     */
    public Limits withOperationsInFlight(int most) {
        return new Limits(
                segmentsPerOperation,
                segmentBytes,
                operationBytes,
                (int) positive("operations in flight", most),
                regions,
                regionBytes,
                singleOperation);
    }

    /**
     * Most regions, and most bytes in one of them.
     *
     * @param count at least 1
     * @param bytes at least 1
     * @return a copy
     */
    public Limits withRegions(int count, long bytes) {
        return new Limits(
                segmentsPerOperation,
                segmentBytes,
                operationBytes,
                operationsInFlight,
                (int) positive("regions", count),
                positive("region bytes", bytes),
                singleOperation);
    }

    /**
     * Asks core to post each transfer as one operation where the other limits allow it, since the peer counts operations
     * as transfers (plain MORI-IO peers).
     *
     * @return a copy
     */
    public Limits withSingleOperation() {
        return new Limits(
                segmentsPerOperation, segmentBytes, operationBytes, operationsInFlight, regions, regionBytes, true);
    }

    /**
     * Most segments in one operation.
     *
     * @return a count
     */
    public int segmentsPerOperation() {
        return segmentsPerOperation;
    }

    /**
     * Most bytes in one segment.
     *
     * @return bytes
     */
    public long segmentBytes() {
        return segmentBytes;
    }

    /**
     * Most bytes in one operation.
     *
     * @return bytes
     */
    public long operationBytes() {
        return operationBytes;
    }

    /**
     * Most operations in flight on one link.
     *
     * @return a count
     */
    public int operationsInFlight() {
        return operationsInFlight;
    }

    /**
     * Most regions.
     *
     * @return a count
     */
    public int regions() {
        return regions;
    }

    /**
     * Most bytes in one region.
     *
     * @return bytes
     */
    public long regionBytes() {
        return regionBytes;
    }

    /**
     * Whether a transfer should be one operation.
     *
     * @return true if so
     */
    public boolean singleOperation() {
        return singleOperation;
    }
}
