package io.weft.engine.internal.control.socket;

import io.weft.spi.EngineClock;
import java.util.concurrent.TimeUnit;

/** Warns at most once in a while, and says how much it left out: what strangers send must not fill a disk. Confined to one thread. */
final class RareLog {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final System.Logger log;
    private final EngineClock clock;
    private long quietUntil;
    private long left;

    RareLog(System.Logger log, EngineClock clock) {
        this.log = log;
        this.clock = clock;
        quietUntil = clock.nanos();
    }

    void warn(String text) {
        long now = clock.nanos();
        if (now - quietUntil < 0) {
            left++;
            return;
        }
        quietUntil = now + PAUSE;
        log.log(
                System.Logger.Level.WARNING,
                "WEFT-CONTROL " + text + (left == 0 ? "" : " (and " + left + " similar before)"));
        left = 0;
    }
}
