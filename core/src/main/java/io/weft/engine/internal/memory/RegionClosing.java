package io.weft.engine.internal.memory;

import io.weft.api.WeftException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The end of a region: begun by one thread, awaited by all others that ask for it. */
final class RegionClosing {
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    boolean hasBegun() {
        return begun.get();
    }

    /** True for the one caller who has to do it. */
    boolean begin() {
        return begun.compareAndSet(false, true);
    }

    void succeeded() {
        ended.complete(null);
    }

    void failed(WeftException why) {
        ended.completeExceptionally(why);
    }

    CompletableFuture<Void> ended() {
        return ended;
    }
}
