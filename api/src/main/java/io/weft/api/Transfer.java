package io.weft.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One transfer: a status that ends exactly once. Implemented by Weft only.
 *
 * <p>Threading: all methods are safe from any thread. Completion happens-before the return of {@link #await} and before
 * every callback (rule MM-1). Dropping the handle does not disturb the transfer (rule ST-4).
 *
 * @since 0.1
 */
public interface Transfer {
    /**
     * The id under which the target sees the transfer.
     *
     * @return the caller's id or one from the engine
     */
    long id();

    /**
     * The state now.
     *
     * @return the state; once terminal it never changes
     */
    TransferState state();

    /**
     * Why it did not succeed.
     *
     * @return the code of a FAILED transfer, {@link ErrorCode#CANCELLED} of a CANCELLED one, else empty
     */
    Optional<ErrorCode> code();

    /**
     * What was tried, on what, what was found, what to do (rule ERR-4).
     *
     * @return the text, empty unless failed or cancelled
     */
    String text();

    /**
     * Native code of the failure.
     *
     * @return errno, verbs status or provider errno; 0 for none
     */
    long nativeCode();

    /**
     * How it was carried out.
     *
     * @return the receipt, empty while in progress
     */
    Optional<Receipt> receipt();

    /**
     * Waits for the end. A timeout leaves the transfer untouched (rule WT-1); so does an interrupt (rule WT-4). Spins
     * briefly, then yields, then parks.
     *
     * @param timeout how long; zero or negative only polls
     * @return the state at return
     * @throws InterruptedException if the thread was interrupted while the transfer was in progress
     */
    TransferState await(Duration timeout) throws InterruptedException;

    /**
     * Runs a callback once the transfer is terminal, on the engine's executor and under no lock (rule CB-1); also if it
     * already is (rule ST-2).
     *
     * @param callback gets this transfer; what it throws is logged and harms nothing
     */
    void onCompletion(Consumer<? super Transfer> callback);

    /**
     * The transfer as a future that completes with it, whatever the outcome; it never completes exceptionally.
     * Cancelling the future does not cancel the transfer.
     *
     * @return a new future, completed on the engine's executor
     */
    CompletableFuture<Transfer> toFuture();

    /**
     * Asks to end the transfer: what is not posted is withdrawn, what is posted finishes or is fenced (rule DL-3).
     * Idempotent, never blocks; the outcome is CANCELLED or the state that won the race.
     */
    void cancel();
}
