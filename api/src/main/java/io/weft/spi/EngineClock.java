package io.weft.spi;

/**
 * The engine's monotonic clock (rule TIME-1); tests replace it. Safe from any thread.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface EngineClock {
    /** The real clock. */
    EngineClock SYSTEM = System::nanoTime;

    /**
     * Now.
     *
     * @return nanoseconds from an arbitrary origin; compare by subtraction
     */
    long nanos();
}
