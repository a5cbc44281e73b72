package io.weft.cli.rank;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A transfer that a test wanted to fail: nothing of it was begun. Immutable. */
final class FailedTransfer implements Transfer {
    private final long id;
    private final ErrorCode code;
    private final String text;

    FailedTransfer(long id, FaultEngine.Failure failure) {
        this.id = id;
        this.code = code(failure.code());
        this.text = failure.message();
    }

    /** A name of the contract, or one of MORI's numbers, of which several codes have one; the most general is taken. */
    private static ErrorCode code(String text) {
        return Arrays.stream(ErrorCode.values())
                .filter(c ->
                        c.name().equals(text) || Integer.toString(c.moriCode()).equals(text))
                .reduce((first, second) -> second)
                .orElseThrow(() -> Line.invalid("'code' must be an error code, found '" + text + "'"));
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public TransferState state() {
        return TransferState.FAILED;
    }

    @Override
    public Optional<ErrorCode> code() {
        return Optional.of(code);
    }

    @Override
    public String text() {
        return text;
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
        return state();
    }

    @Override
    public void onCompletion(Consumer<? super Transfer> callback) {
        Thread.ofVirtual().start(() -> callback.accept(this));
    }

    @Override
    public CompletableFuture<Transfer> toFuture() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void cancel() {
        // It is over.
    }
}
