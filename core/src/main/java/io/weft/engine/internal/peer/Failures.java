package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.telemetry.FailureLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tells of failed transfers: one limit for the process, since a log has one too. Written by a control thread, never by the one
 * that found the failure, which may be moving bytes.
 */
public final class Failures {
    private static final FailureLog LOG =
            new FailureLog(System.getLogger(Failures.class.getName()), "WEFT-FAILED", System::nanoTime);

    private Failures() {}

    /**
     * A transfer failed.
     *
     * @param writer writes the line, if there is to be one
     * @param engine whose transfer
     * @param peer with whom
     * @param transfer its id
     * @param code why
     * @param text what was tried, on what, what was found, what to do
     */
    public static void add(Executor writer, String engine, String peer, long transfer, ErrorCode code, String text) {
        long untold = code == ErrorCode.CLOSED ? -1 : LOG.count(code);
        if (untold < 0) {
            return;
        }
        try {
            writer.execute(() -> LOG.tell(
                    untold,
                    "engine " + engine + ", peer " + peer + ", transfer " + Long.toUnsignedString(transfer) + ", "
                            + code + ": " + text));
        } catch (RejectedExecutionException closing) {
            // Nobody waits for a line about an engine that is gone.
        }
    }
}
