package io.weft.engine.internal.time;

import java.time.Duration;

/** Callers' durations as nanoseconds: any duration is legal, and no sum of one with the clock overflows. */
public final class Durations {
    /** About a hundred years; a third of what a long of nanoseconds holds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * The nanoseconds of a caller's timeout.
     *
     * @param timeout any duration
     * @return 0 for a negative one, a hundred years for a longer one
     */
    public static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
    }
}
