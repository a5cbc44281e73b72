package io.weft.engine.internal.backend;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Between the engine and a backend. What a backend throws against its contract becomes INTERNAL naming it (rule ERR-3). A
 * caller's interrupt is kept from the backend, where it would close a channel or cut a bounded wait short. Once the guard is
 * shut no call reaches the backend. Safe from any thread.
 */
public final class Guard {
    private static final int SHUT = 1 << 30;
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final String backend;
    /** Calls that are inside, plus {@link #SHUT}. */
    private final AtomicInteger inside = new AtomicInteger();

    Guard(String backend) {
        this.backend = backend;
    }

    /**
     * Calls into the backend.
     *
     * @param what what is tried, for the text
     * @param call the call
     * @param <T> its result
     * @return the result
     * @throws WeftException of the backend, or INTERNAL for any other Throwable but VirtualMachineError; CLOSED once it is
     *     {@link #shut}
     */
    public <T> T call(String what, Supplier<T> call) {
        try {
            if (inside.getAndIncrement() >= SHUT) {
                throw new WeftException(
                        ErrorCode.CLOSED, what + ": backend " + backend + " is closed, as its engine is; open another");
            }
            return unguarded(what, call);
        } finally {
            inside.getAndDecrement();
        }
    }

    /** Lets no further call in, and waits some nanoseconds for those that are inside. */
    void shut(long nanos) {
        long end = System.nanoTime() + nanos;
        if (inside.get() < SHUT) {
            inside.getAndAdd(SHUT);
        }
        while (inside.get() != SHUT && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    boolean isShut() {
        return inside.get() >= SHUT;
    }

    /** The last call, of the one who shut the guard. */
    void last(String what, Runnable call) {
        unguarded(what, () -> {
            call.run();
            return true;
        });
    }

    private <T> T unguarded(String what, Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return call.get();
        } catch (WeftException told) {
            throw told;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable defect) {
            throw internal(what, defect);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Calls into the backend without result.
     *
     * @param what what is tried, for the text
     * @param call the call
     * @throws WeftException as {@link #call}
     */
    public void run(String what, Runnable call) {
        call(what, () -> {
            call.run();
            return true;
        });
    }

    /**
     * Makes the exception for a Throwable that broke the contract.
     *
     * @param what what was tried
     * @param defect what was thrown
     * @return the exception
     */
    public WeftException internal(String what, Throwable defect) {
        return new WeftException(ErrorCode.INTERNAL, text(what, defect), defect);
    }

    /**
     * Describes a Throwable that broke the contract.
     *
     * @param what what was tried
     * @param defect what was thrown
     * @return a text naming the backend
     */
    public String text(String what, Throwable defect) {
        return "backend " + backend + " failed to " + what + ": it threw " + defect
                + ", which its interface does not allow; this is a defect of the backend, report it to its vendor";
    }
}
