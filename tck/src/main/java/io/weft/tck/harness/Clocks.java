package io.weft.tck.harness;

import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The three waiting times of the kit, scaled by one property and by how quick this machine is now. Immutable.
 *
 * @param scale factor on all times
 */
public record Clocks(double scale) {
    private static final Duration MUST_HAPPEN = Duration.ofSeconds(10);
    private static final Duration MUST_NOT_HAPPEN = Duration.ofMillis(150);
    private static final Duration SETTLE = Duration.ofMillis(500);

    /** A hand-over between two threads of an idle machine. */
    private static final long TYPICAL_HANDOVER_NANOS = 40_000;

    private static final int HANDOVERS = 500;
    private static final double MOST = 8;

    /**
     * Measures this machine.
     *
     * @param factor the property
     * @return clocks for it
     */
    public static Clocks calibrate(double factor) {
        double slowness = (double) handoverNanos() / TYPICAL_HANDOVER_NANOS;
        return new Clocks(factor * Math.clamp(slowness, 1, MOST));
    }

    private static long handoverNanos() {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread taker = Thread.ofPlatform().daemon().name("weft-tck-calibration").start(() -> {
            try {
                for (int i = 0; i < HANDOVERS; i++) {
                    queue.poll(10, TimeUnit.SECONDS);
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        long start = System.nanoTime();
        try {
            for (int i = 0; i < HANDOVERS; i++) {
                queue.offer(i, 10, TimeUnit.SECONDS);
            }
            taker.join(1000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return (System.nanoTime() - start) / HANDOVERS;
    }

    /**
     * Bound of what has to happen. Never a measure of speed: at least ten times what is typical.
     *
     * @return a duration
     */
    public Duration mustHappen() {
        return scaled(MUST_HAPPEN);
    }

    /**
     * How long to watch that something does not happen.
     *
     * @return a duration
     */
    public Duration mustNotHappen() {
        return scaled(MUST_NOT_HAPPEN);
    }

    /**
     * How long things may take to calm down before they are counted.
     *
     * @return a duration
     */
    public Duration settle() {
        return scaled(SETTLE);
    }

    /**
     * Any other time.
     *
     * @param time for a quick machine
     * @return the time for this one
     */
    public Duration scaled(Duration time) {
        return Duration.ofNanos((long) (time.toNanos() * scale));
    }

    /**
     * Waits until something holds, in the bound of what must happen.
     *
     * @param what what must come to hold
     * @param holds whether it does
     */
    public void eventually(String what, BooleanSupplier holds) {
        eventually(() -> what, holds);
    }

    /**
     * Waits until something holds, in the bound of what must happen.
     *
     * @param what what must come to hold, and what was seen, asked when it does not
     * @param holds whether it does
     */
    public void eventually(Supplier<String> what, BooleanSupplier holds) {
        long end = System.nanoTime() + mustHappen().toNanos();
        while (!holds.getAsBoolean()) {
            Expect.that(
                    System.nanoTime() - end < 0,
                    "after " + mustHappen() + " it still does not hold that " + what.get());
            LockSupport.parkNanos(2_000_000); // what is waited for may be in another process
        }
    }

    /**
     * Checks again and again, at least once, for as long as one watches that something does not happen.
     *
     * @param check throws when it has happened
     */
    public void throughout(Runnable check) {
        long end = System.nanoTime() + mustNotHappen().toNanos();
        do {
            check.run();
            LockSupport.parkNanos(1_000_000);
        } while (System.nanoTime() - end < 0);
    }
}
