package io.weft.testkit.engine;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A transfer that failed before it began. Immutable; safe from any thread.
 *
 * @param id its id
 * @param failure its code
 * @param text why
 * @param callbacks where callbacks run
 */
public record EndedTransfer(long id, ErrorCode failure, String text, Executor callbacks) implements Transfer {
    /** Checks for null. */
    public EndedTransfer {
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(callbacks, "callbacks");
    }

    @Override
    public TransferState state() {
        return TransferState.FAILED;
    }

    @Override
    public Optional<ErrorCode> code() {
        return Optional.of(failure);
    }

    @Override
    public long nativeCode() {
        return 0;
    }

    @Override
    public Optional<Receipt> receipt() {
        return Optional.of(Receipt.builder().remote(RemoteQuiescence.QUIESCED).build());
    }

    @Override
    public TransferState await(Duration timeout) {
        return TransferState.FAILED;
    }

    @Override
    public void onCompletion(Consumer<? super Transfer> callback) {
        callbacks.execute(() -> callback.accept(this));
    }

    @Override
    public CompletableFuture<Transfer> toFuture() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void cancel() {}
}
