package io.weft.kv.internal.memory;

import io.weft.kv.LeaseState;
import io.weft.kv.MemoryLease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A lease whose owner moves it forward. Safe from any thread. */
public final class Lease implements MemoryLease {
    private final CompletableFuture<LeaseState> end = new CompletableFuture<>();
    private volatile LeaseState state = LeaseState.HELD;

    @Override
    public LeaseState state() {
        return state;
    }

    @Override
    public CompletionStage<LeaseState> released() {
        return end.minimalCompletionStage();
    }

    /**
     * Moves on, unless released.
     *
     * @param next the next state
     * @return whether this call changed the state
     */
    public boolean advance(LeaseState next) {
        synchronized (this) {
            if (state.isReleased() || state == next) {
                return false;
            }
            state = next;
        }
        if (next.isReleased()) {
            end.complete(next);
        }
        return true;
    }
}
