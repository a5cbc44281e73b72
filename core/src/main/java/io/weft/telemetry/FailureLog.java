package io.weft.telemetry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One line for a failure, and only a count for those of the same kind that follow it too closely: a peer that dies fails
 * thousands of transfers, and one line says why. Safe from any thread; holds its lock for no longer than a look-up.
 *
 * @since 0.1
 */
public final class FailureLog {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private final String id;
    private final LongSupplier nanoClock;
    private final Map<Enum<?>, Kind> kinds = new HashMap<>();

    private static final class Kind {
        private long toldNanos;
        private long untold;
    }

    /**
     * Makes a log.
     *
     * @param log where to
     * @param id id of the line in docs/operations.md
     * @param nanoClock monotonic time
     */
    public FailureLog(Logger log, String id, LongSupplier nanoClock) {
        this.log = log;
        this.id = id;
        this.nanoClock = nanoClock;
    }

    /**
     * Counts a failure and decides whether it is told.
     *
     * @param kind its code
     * @return failures of the kind since the last that was told, 0 or more; -1 if this one is not to be told
     */
    public synchronized long count(Enum<?> kind) {
        long now = nanoClock.getAsLong();
        Kind known = kinds.get(kind);
        if (known == null) {
            known = new Kind();
            kinds.put(kind, known);
        } else if (now - known.toldNanos < QUIET_NANOS) {
            known.untold++;
            return -1;
        }
        long untold = known.untold;
        known.toldNanos = now;
        known.untold = 0;
        return untold;
    }

    /**
     * Writes the line. May block as long as the log does.
     *
     * @param untold what {@link #count} answered, at least 0
     * @param text who, with whom, which, code, cause and advice
     */
    public void tell(long untold, String text) {
        log.log(
                Level.WARNING,
                id + " " + text + "; what to do: docs/operations.md, \"a transfer or a room fails\""
                        + (untold == 0 ? "" : " (and " + untold + " more with this code since the last such line)"));
    }
}
