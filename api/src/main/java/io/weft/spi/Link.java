package io.weft.spi;

/**
 * The way to one peer over one backend: connections, queue pairs, endpoints. Implemented by vendors.
 *
 * <p>States: UP from {@link Backend#connect} on, then DOWN after {@link LinkEvents#onDown}, {@link #fence} or
 * {@link #close}. A link never comes up again; core connects a new one.
 *
 * <p>Threading: {@link #post} and {@link #cancel} are called by one core thread at a time, concurrently with
 * {@link #fence} and {@link #close} of another. No core lock is held.
 *
 * @since 0.1
 */
public interface Link extends AutoCloseable {
    /** {@link #post}: taken; exactly one completion follows. */
    int ACCEPTED = 0;
    /** {@link #post}: no credit now; {@link LinkEvents#onWritable} follows when there is. */
    int WOULD_BLOCK = -1;

    /**
     * Posts an operation. Never blocks on the network, never throws for it, never queues without bound.
     *
     * @param operation lent for the duration of the call
     * @return {@link #ACCEPTED}, {@link #WOULD_BLOCK}, or a positive {@link io.weft.api.ErrorCode} number if this operation
     *     cannot be done; on a link that is DOWN the number of {@code PEER_LOST}
     */
    int post(Operation operation);

    /**
     * Makes the initiator's side quiet: every accepted operation is completed (with its true code, or
     * {@code CANCELLED}), and afterwards nothing of this link reads local sources or writes local destinations. The link is
     * DOWN then. May block up to the deadline; called on a control thread. Idempotent.
     *
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @return whether the side is quiet; false only if the deadline passed first, which core reports as a defect
     */
    boolean fence(long deadlineNanos);

    /**
     * Tries to withdraw an accepted operation without breaking the link. If it can, the operation completes with
     * {@code CANCELLED}; if not, it completes as it would have.
     *
     * @param token an accepted token
     * @return whether the withdrawal was begun; false means "not supported" or "too late"
     */
    default boolean cancel(long token) {
        return false;
    }

    /**
     * Limits of this link, where they differ from the backend's.
     *
     * @param backendLimits the backend's limits
     * @return the limits core keeps on this link
     */
    default Limits limits(Limits backendLimits) {
        return backendLimits;
    }

    /**
     * Facts for receipts and {@code weft inspect}: lanes, devices, queue depths. Called seldom; may allocate, never blocks.
     *
     * @return a snapshot
     */
    default LinkSnapshot snapshot() {
        return LinkSnapshot.EMPTY;
    }

    /** Fences with the backend's quiesce time and frees everything. Idempotent; bounded. */
    @Override
    void close();
}
