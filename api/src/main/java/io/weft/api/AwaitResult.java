package io.weft.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of awaiting several transfers (rule WT-2).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param state SUCCEEDED if all did; else the state of the first one in list order that failed or was cancelled; else
 *     IN_PROGRESS, when time was up
 * @param failed the first transfer in list order that failed or was cancelled, or null
 * @since 0.1
 */
public record AwaitResult(TransferState state, @Nullable Transfer failed) {
    /**
     * The first failed transfer.
     *
     * @return the transfer, empty if none failed so far
     */
    public Optional<Transfer> firstFailure() {
        return Optional.ofNullable(failed);
    }
}
