package io.weft.spi;

/**
 * Work that core posts on a link: one or more runs, each a region pair and a range of one shared segment table. Core
 * implements it with recycled objects (backend tests may bring their own implementation).
 *
 * <p><b>Ownership.</b> The object and its arrays are lent for the duration of {@link Link#post} only: a backend copies or
 * translates what it needs and keeps the token. The arrays must not be modified.
 *
 * <p><b>What core promises.</b> At least one run and one segment; lengths at least 1; every segment inside both regions;
 * inside one run segments do not overlap at the destination and are sorted by remote offset, neighbours merged; all
 * {@link Limits} kept; local regions of this backend, remote ones imported for this link's peer. An operation with
 * {@link #announce} may have no run.
 *
 * <p>The segment {@code i} of run {@code r}, for {@code i} from {@code from(r)} to before {@code to(r)}, moves
 * {@code lengths()[i]} bytes between offset {@code localOffsets()[i]} of {@code local(r)} and offset
 * {@code remoteOffsets()[i]} of {@code remote(r)}.
 *
 * @since 0.1
 */
public interface Operation {
    /**
     * Names the operation in its completion.
     *
     * @return index and generation of a slot of core's
     */
    long token();

    /**
     * Direction.
     *
     * @return the kind, the same for all runs
     */
    OperationKind kind();

    /**
     * Number of runs.
     *
     * @return at least 1, or 0 with {@link #announce}
     */
    int runCount();

    /**
     * Local region of a run.
     *
     * @param run index of the run
     * @return the handle this backend made
     */
    LocalMemory local(int run);

    /**
     * Remote region of a run.
     *
     * @param run index of the run
     * @return the handle this backend made for this link's peer
     */
    RemoteMemory remote(int run);

    /**
     * First segment of a run.
     *
     * @param run index of the run
     * @return index into the arrays
     */
    int from(int run);

    /**
     * Segment after the last of a run.
     *
     * @param run index of the run
     * @return index into the arrays
     */
    int to(int run);

    /**
     * Byte offsets in the local regions.
     *
     * @return the array, lent
     */
    long[] localOffsets();

    /**
     * Byte offsets in the remote regions.
     *
     * @return the array, lent
     */
    long[] remoteOffsets();

    /**
     * Lengths in bytes.
     *
     * @return the array, lent
     */
    long[] lengths();

    /**
     * Segments over all runs.
     *
     * @return a count
     */
    int segmentCount();

    /**
     * Bytes over all runs.
     *
     * @return bytes
     */
    long totalBytes();

    /**
     * The transfer this is a part of, as the target knows it.
     *
     * @return the transfer id
     */
    long transferId();

    /**
     * Whether the fabric's own announcement of the transfer's end shall be sent after this operation's data; core sets it
     * only on the last operation, when all others of the transfer are complete, and only if the backend
     * {@linkplain Capabilities#announces declares} it.
     *
     * @return true if the peer is to be told
     */
    boolean announce();

    /**
     * When core gives the operation up and fences; a hint for backends with timers of their own.
     *
     * @return a value of the context's {@link EngineClock}
     */
    long deadlineNanos();
}
