package io.weft.engine.internal.memory;

import io.weft.engine.internal.backend.OpenBackend;
import java.util.concurrent.CompletableFuture;

/** A peer that fetched keys of regions here. Safe from any thread. */
public interface KeyHolder {
    /**
     * Tells the peer that a region goes away.
     *
     * @param regionId the region
     * @param deadlineNanos a value of the engine's clock
     * @return completes when the peer said that nothing there uses the region, exceptionally if it did not say so
     */
    CompletableFuture<Void> revoke(int regionId, long deadlineNanos);

    /**
     * Cuts the peer off as an initiator. Blocks up to the deadline.
     *
     * @param backend over which the peer got its key
     * @param deadlineNanos a value of the engine's clock
     * @return whether the backend confirmed
     */
    boolean cutOff(OpenBackend backend, long deadlineNanos);

    /**
     * Who it is, for texts.
     *
     * @return the wire key
     */
    String key();
}
