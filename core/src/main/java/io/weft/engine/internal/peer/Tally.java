package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.TransferState;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts of transfers (rule OBS-1). Safe from any thread. */
public final class Tally {
    private final LongAdder started = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder stalled = new LongAdder();
    private final LongAdder[] failures = new LongAdder[ErrorCode.values().length];

    /** Makes zeros. */
    public Tally() {
        Arrays.setAll(failures, code -> new LongAdder());
    }

    /** A call is about to return a transfer. */
    public void start() {
        started.increment();
    }

    /**
     * A transfer became terminal.
     *
     * @param end its state
     * @param code its code, null if it succeeded
     * @param moved bytes that count if it succeeded
     */
    public void end(TransferState end, @Nullable ErrorCode code, long moved) {
        switch (end) {
            case SUCCEEDED -> {
                succeeded.increment();
                bytes.add(moved);
            }
            case FAILED -> {
                failed.increment();
                if (code != null) {
                    failures[code.ordinal()].increment();
                }
            }
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
     * Transfers that ended FAILED with a code.
     *
     * @param code the code
     * @return a count
     */
    public long failed(ErrorCode code) {
        return failures[code.ordinal()].sum();
    }

    /**
     * Transfers were told to make no progress.
     *
     * @param count how many newly
     */
    public void stall(int count) {
        stalled.add(count);
    }

    /**
     * Transfers that ever made no progress for too long.
     *
     * @return a count
     */
    public long stalled() {
        return stalled.sum();
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
