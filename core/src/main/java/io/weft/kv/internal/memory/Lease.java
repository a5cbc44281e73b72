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
     * Moves on, unless released, and tells nobody: callbacks do not run under the caller's locks.
     *
     * @param next the next state
     * @return whether this call changed the state
     */
    public synchronized boolean move(LeaseState next) {
        if (state.isReleased() || state == next) {
            return false;
        }
        state = next;
        return true;
    }

    /** Runs the callbacks of a released lease, once; to be called without locks after {@link #move}. */
    public void announce() {
        LeaseState now = state;
        if (now.isReleased()) {
            end.complete(now);
        }
    }
}
