package io.weft.replay.run;

import java.time.Duration;

/**
 * A long run: the trace again and again, each time with prefixes of its own, and processes killed in turn. Rank 0 of each side
 * lives through it, so that what piles up shows there.
 *
 * @param length no request is admitted after that
 * @param killEvery from one kill to the next, restart included
 */
public record Soak(Duration length, Duration killEvery) {
    /** Checks the times. */
    public Soak {
        if (!length.isPositive() || !killEvery.isPositive()) {
            throw new IllegalArgumentException(
                    "a soak and the time between its kills must be longer than nothing, found " + length.toSeconds()
                            + " s and " + killEvery.toSeconds() + " s");
        }
    }
}
