package io.weft.engine.internal;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.spi.EngineClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** OPEN, then CLOSING, then CLOSED (rule LIFE-1). Safe from any thread. */
final class EngineLife {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final String engineKey;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final CountDownLatch closed = new CountDownLatch(1);

    EngineLife(String engineKey) {
        this.engineKey = engineKey;
    }

    /** Why nothing is taken any more; empty while open. */
    String refusal() {
        return state.get() == State.OPEN ? "" : "engine " + engineKey + " is closed; open another";
    }

    void checkOpen(String what) {
        String refusal = refusal();
        if (!refusal.isEmpty()) {
            throw new WeftException(ErrorCode.CLOSED, what + ": " + refusal);
        }
    }

    /** True for the one caller who has to close. */
    boolean beginClosing() {
        return state.compareAndSet(State.OPEN, State.CLOSING);
    }

    void closed() {
        state.set(State.CLOSED);
        closed.countDown();
    }

    /** Bounded, so an interrupt does not shorten it; it is kept for the caller. */
    void awaitClosed(long nanos) {
        EngineClock clock = EngineClock.SYSTEM;
        Waiting.until(clock, clock.nanos() + nanos, left -> closed.await(left, TimeUnit.NANOSECONDS));
    }
}
