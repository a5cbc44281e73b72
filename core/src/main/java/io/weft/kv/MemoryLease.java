package io.weft.kv;

import java.util.concurrent.CompletionStage;

/**
 * What a room holds of this rank's memory: source or destination pages, aux row, state slots. Whoever hands out pages waits
 * for the release; a failed room may hold its pages longer than its status lasts. A decode room that succeeded has released its
 * pages by the time its status says so.
 *
 * <p>Implemented by Weft only. Safe from any thread; nothing here blocks.
 *
 * @since 0.1
 */
public interface MemoryLease {
    /**
     * The state now.
     *
     * @return the state; a released one never changes
     */
    LeaseState state();

    /**
     * Completes once released.
     *
     * @return a stage with the final state; callbacks run on a thread of the manager and must not block
     */
    CompletionStage<LeaseState> released();
}
