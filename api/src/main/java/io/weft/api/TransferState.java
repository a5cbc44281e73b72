package io.weft.api;

/**
 * State of a transfer. It only moves from {@link #IN_PROGRESS} to one of the others, once (rule ST-1).
 *
 * @since 0.1
 */
public enum TransferState {
    /** Queued or moving. */
    IN_PROGRESS,
    /** Every named byte is in place and visible as declared (rules WR-1, WR-9, RD-9). */
    SUCCEEDED,
    /** Ended with a code; any subset of the named destination bytes may have been written (rule WR-10). */
    FAILED,
    /** Ended because the caller cancelled it (rule DL-3). */
    CANCELLED;

    /**
     * Whether this state is final.
     *
     * @return false for {@link #IN_PROGRESS} only
     */
    public boolean isTerminal() {
        return this != IN_PROGRESS;
    }
}
