package io.weft.backend.tcp;

import io.weft.spi.EngineClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Bounded waits on whose outcome the safety of memory hangs. */
final class Waiting {
    private Waiting() {}

    /** Waits for a latch; an interrupt does not cut the wait short but is handed on afterwards. */
    static boolean await(CountDownLatch latch, EngineClock clock, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return latch.await(deadlineNanos - clock.nanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
