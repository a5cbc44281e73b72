package io.weft.tck.rules;

import io.weft.api.ReadyEvent;
import io.weft.api.TransferOptions;

/** Holds transfers back before anything of them is posted, until it is opened. Safe from any thread. */
final class Gate implements ReadyEvent {
    private volatile boolean open;

    void open() {
        open = true;
    }

    @Override
    public boolean isReady() {
        return open;
    }

    TransferOptions options() {
        return TransferOptions.DEFAULT.withReadyWhen(this);
    }
}
