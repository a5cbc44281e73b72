package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps an engine's staging memory within its bound. Safe from any thread. */
public final class StagingBound {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Nothing is taken yet.
     *
     * @param most bytes
     */
    public StagingBound(long most) {
        this.most = most;
    }

    void take(long bytes, String peerKey) {
        if (taken.addAndGet(bytes) > most) {
            long others = taken.addAndGet(-bytes);
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "take " + bytes + " bytes to stage device memory of transfers with peer " + peerKey + ": " + others
                            + " of " + most + " bytes are taken for other peers; raise weft.staging.bytes");
        }
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}
