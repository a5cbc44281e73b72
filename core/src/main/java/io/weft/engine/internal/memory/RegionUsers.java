package io.weft.engine.internal.memory;

import java.util.concurrent.CompletableFuture;

/** Knows which transfers use a region. Safe from any thread. */
public interface RegionUsers {
    /**
     * Tells when no transfer uses a region any more. Transfers that come later see that it is closing and fail by themselves.
     *
     * @param region a region that is closing
     * @return completes when the last one is terminal
     */
    CompletableFuture<Void> unused(LocalRegion region);

    /**
     * Cancels what uses a region.
     *
     * @param region a region that is closing
     * @param text why, for the transfers
     */
    void cancelUses(LocalRegion region, String text);
}
