package io.weft.testkit.engine;

import io.weft.api.ErrorCode;
import io.weft.api.ReadyEvent;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose {@code writeMulti} can be delayed, held or failed. Delayed and held writes are accepted at once and read their
 * source late, as a slow fabric does. Safe from any thread.
 */
public final class FaultyEngine extends ForwardingEngine {
    private final AtomicReference<@Nullable Failure> next = new AtomicReference<>();
    private volatile long delayNanos;
    private volatile boolean held;

    private record Failure(ErrorCode code, String text) {}

    /**
     * Wraps an engine without a fault.
     *
     * @param delegate gets the calls
     */
    public FaultyEngine(TransferEngine delegate) {
        super(delegate);
    }

    /**
     * Delays every later write.
     *
     * @param delay by how much
     */
    public void delayWrites(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /**
     * Holds writes back or lets them go.
     *
     * @param hold whether writes, earlier ones included, wait
     */
    public void holdWrites(boolean hold) {
        held = hold;
    }

    /**
     * Fails the next write, once.
     *
     * @param code its code
     * @param text its text
     */
    public void failNextWrite(ErrorCode code, String text) {
        next.set(new Failure(code, text));
    }

    @Override
    public Transfer writeMulti(List<SharedSegments> parts, TransferOptions options) {
        Failure failure = next.getAndSet(null);
        if (failure != null) {
            return new EndedTransfer(nextTransferId(), failure.code(), failure.text(), ForkJoinPool.commonPool());
        }
        if (delayNanos == 0 && !held) {
            return super.writeMulti(parts, options);
        }
        long readyAt = System.nanoTime() + delayNanos;
        ReadyEvent given = options.readyWhen();
        return super.writeMulti(
                parts,
                options.withReadyWhen(
                        () -> !held && System.nanoTime() - readyAt >= 0 && (given == null || given.isReady())));
    }
}
