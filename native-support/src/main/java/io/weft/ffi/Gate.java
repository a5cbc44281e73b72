package io.weft.ffi;

import io.weft.spi.EngineClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets threads into native calls on an endpoint until it is to be freed, and tells the freeing thread when the last one has left.
 *
 * <p>Thread-safe; entering and leaving neither block nor allocate.
 *
 * @since 0.1
 */
public final class Gate {
    private static final int CLOSED = 1 << 31;
    private static final int SPINS = 100;
    private static final long PARK_NANOS = 20_000;

    private final AtomicInteger state = new AtomicInteger();

    /** An open gate with nobody inside. */
    public Gate() {}

    /**
     * Counts the caller in.
     *
     * @return false once the gate is closed; the caller is not inside then
     */
    public boolean enter() {
        if (state.getAndIncrement() >= 0) {
            return true;
        }
        state.getAndDecrement();
        return false;
    }

    /** Counts the caller out. */
    public void leave() {
        state.getAndDecrement();
    }

    /**
     * Whether newcomers are refused.
     *
     * @return true after {@link #shut}
     */
    public boolean isClosed() {
        return state.get() < 0;
    }

    /**
     * Closes the gate to newcomers.
     *
     * @return true for the first caller
     */
    public boolean shut() {
        return state.getAndUpdate(value -> value | CLOSED) >= 0;
    }

    /**
     * Waits until nobody is inside.
     *
     * @param clock the clock of the deadline
     * @param deadlineNanos a value of the clock
     * @return false if the deadline came first
     */
    public boolean awaitEmpty(EngineClock clock, long deadlineNanos) {
        for (int i = 0; (state.get() & ~CLOSED) != 0; i++) {
            if (i < SPINS) {
                Thread.onSpinWait();
            } else if (clock.nanos() - deadlineNanos >= 0) {
                return false;
            } else {
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
        return true;
    }
}
