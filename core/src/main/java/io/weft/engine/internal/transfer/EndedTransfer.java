package io.weft.engine.internal.transfer;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.TransferState;
import org.jspecify.annotations.Nullable;

/** A transfer that was over when the call returned: refused, or empty (rules ERR-1, WR-6). */
public final class EndedTransfer extends TransferStatus {
    private final int segments;

    private EndedTransfer(
            long id, Callbacks callbacks, int segments, TransferState end, @Nullable ErrorCode code, String text) {
        super(id, callbacks);
        this.segments = segments;
        end(end, code, text, 0);
    }

    /**
     * A refused transfer.
     *
     * @param id its id
     * @param callbacks runs users' code
     * @param code why
     * @param text what was tried, on what, what was found, what to do
     * @return a FAILED transfer
     */
    public static EndedTransfer failed(long id, Callbacks callbacks, ErrorCode code, String text) {
        return new EndedTransfer(id, callbacks, 0, TransferState.FAILED, code, text);
    }

    /**
     * A transfer with nothing to move.
     *
     * @param id its id
     * @param callbacks runs users' code
     * @param segments segments as given, all empty
     * @return a SUCCEEDED transfer
     */
    public static EndedTransfer empty(long id, Callbacks callbacks, int segments) {
        return new EndedTransfer(id, callbacks, segments, TransferState.SUCCEEDED, null, "");
    }

    @Override
    protected Receipt makeReceipt() {
        return Receipt.builder().sizes(0, segments, 0).build();
    }

    @Override
    protected void askToCancel() {
        // Terminal from the start.
    }

    @Override
    protected void deliver() {
        throw new IllegalStateException("a transfer that is over is sent to nobody");
    }
}
