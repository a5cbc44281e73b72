package io.weft.spi;

/**
 * Something that core drives: usually a device with its completion queue. Implemented by vendors.
 *
 * <p>Threading: {@link #progress} and {@link #await} are called by one thread at a time, each call happening before the next:
 * by a thread that core keeps for the source or, {@code progress} alone, by a platform thread of the application that awaits a transfer.
 * {@link #wakeup} is called by any thread beside them. None of them throws for what a fabric did.
 *
 * @since 0.1
 */
public interface ProgressSource {
    /**
     * Name of the thread that drives it.
     *
     * @return a short name such as {@code rdma-mlx5_0}
     */
    String name();

    /**
     * Does work that is there: takes completions, continues sends. Never blocks.
     *
     * @param budget most events to handle, for fairness
     * @return events handled; 0 makes the caller spin, yield, then wait
     */
    int progress(int budget);

    /**
     * Blocks until there may be work, or {@link #wakeup}, or the time is over. Called for POLLABLE only.
     *
     * @param timeoutNanos the bound, positive
     */
    void await(long timeoutNanos);

    /** Makes a running or the next {@link #await} return at once. Never blocks. */
    void wakeup();
}
