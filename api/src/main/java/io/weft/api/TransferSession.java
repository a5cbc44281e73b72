package io.weft.api;

/**
 * A prepared pair of regions: the route is chosen, the link up and the peer's key fetched, so that a transfer costs no
 * look-up. Implemented by Weft only. Safe from any thread; transfers of one session are unordered (rule ORD-1).
 *
 * <p>Every transfer call returns a {@link Transfer} for every outcome (rule ERR-1).
 *
 * @since 0.1
 */
public interface TransferSession extends AutoCloseable {
    /**
     * The regions.
     *
     * @return the pair
     */
    RegionPair pair();

    /**
     * Writes one segment from the local to the remote region.
     *
     * @param localOffset byte offset of the source
     * @param remoteOffset byte offset of the destination
     * @param length bytes
     * @param options how
     * @return the transfer
     */
    Transfer write(long localOffset, long remoteOffset, long length, TransferOptions options);

    /**
     * Reads one segment from the remote into the local region.
     *
     * @param localOffset byte offset of the destination
     * @param remoteOffset byte offset of the source
     * @param length bytes
     * @param options how
     * @return the transfer
     */
    Transfer read(long localOffset, long remoteOffset, long length, TransferOptions options);

    /**
     * Writes segments.
     *
     * @param segments what to move
     * @param options how
     * @return one transfer
     */
    Transfer write(SegmentTable segments, TransferOptions options);

    /**
     * Reads segments.
     *
     * @param segments what to move
     * @param options how
     * @return one transfer
     */
    Transfer read(SegmentTable segments, TransferOptions options);

    /** Releases what was prepared; transfers in flight go on. Idempotent, never blocks. */
    @Override
    void close();
}
