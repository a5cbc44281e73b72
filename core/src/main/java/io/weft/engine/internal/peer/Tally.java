package io.weft.engine.internal.peer;

import io.weft.api.TransferState;
import java.util.concurrent.atomic.LongAdder;

/** Counts of transfers (rule OBS-1). Safe from any thread. */
public final class Tally {
    private final LongAdder started = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    /** Makes zeros. */
    public Tally() {}

    /** A call is about to return a transfer. */
    public void start() {
        started.increment();
    }

    /**
     * A transfer became terminal.
     *
     * @param end its state
     * @param moved bytes that count if it succeeded
     */
    public void end(TransferState end, long moved) {
        switch (end) {
            case SUCCEEDED -> {
                succeeded.increment();
                bytes.add(moved);
            }
            case FAILED -> failed.increment();
            case CANCELLED -> cancelled.increment();
            case IN_PROGRESS -> throw new IllegalArgumentException("not an end");
        }
    }

    /**
     * Transfers that a call returned.
     *
     * @return a count
     */
    public long started() {
        return started.sum();
    }

    /**
     * Transfers that ended SUCCEEDED.
     *
     * @return a count
     */
    public long succeeded() {
        return succeeded.sum();
    }

    /**
     * Transfers that ended FAILED.
     *
     * @return a count
     */
    public long failed() {
        return failed.sum();
    }

    /**
     * Transfers that ended CANCELLED.
     *
     * @return a count
     */
    public long cancelled() {
        return cancelled.sum();
    }

    /**
     * Bytes of transfers that succeeded.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes.sum();
    }
}
