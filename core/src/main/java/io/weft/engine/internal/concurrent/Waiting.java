package io.weft.engine.internal.concurrent;

import io.weft.spi.EngineClock;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounded waits of calls that block. An interrupt does not shorten them; it is kept for the caller. Any thread. */
public final class Waiting {
    private Waiting() {}

    /**
     * One way of waiting.
     *
     * @param <T> what it tells
     * @param <E> what it throws
     */
    @FunctionalInterface
    public interface Wait<T, E extends Exception> {
        /**
         * Waits.
         *
         * @param nanos the bound, not negative
         * @return how it ended
         * @throws InterruptedException if interrupted; it is asked again with what is left
         * @throws E if it failed
         */
        T atMost(long nanos) throws InterruptedException, E;
    }

    /**
     * Waits until a deadline.
     *
     * @param <T> what the wait tells
     * @param <E> what the wait throws
     * @param clock what the deadline is told by
     * @param deadlineNanos when to give up, a value of the clock
     * @param wait how
     * @return what the wait told
     * @throws E if the wait failed
     */
    public static <T, E extends Exception> T until(EngineClock clock, long deadlineNanos, Wait<T, E> wait) throws E {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.atMost(Math.max(0, deadlineNanos - clock.nanos()));
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for a future until a deadline.
     *
     * @param future completed by somebody
     * @param clock what the deadline is told by
     * @param deadlineNanos when to give up, a value of the clock
     * @return whether it completed normally in time
     */
    public static boolean await(CompletableFuture<?> future, EngineClock clock, long deadlineNanos) {
        return until(clock, deadlineNanos, left -> {
            try {
                future.get(left, TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException | TimeoutException no) {
                return false;
            }
        });
    }

    /**
     * Waits for a future.
     *
     * @param future completed by somebody
     * @param nanos the bound
     * @return whether it completed normally in time
     */
    public static boolean await(CompletableFuture<?> future, long nanos) {
        return await(future, EngineClock.SYSTEM, EngineClock.SYSTEM.nanos() + nanos);
    }

    /**
     * Waits for all of some futures.
     *
     * @param futures any number
     * @param nanos the bound
     * @return whether all completed normally in time
     */
    public static boolean awaitAll(Collection<? extends CompletableFuture<?>> futures, long nanos) {
        return await(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)), nanos);
    }
}
