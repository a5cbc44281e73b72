package io.weft.engine.internal.backend;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.function.Supplier;

/** Between the engine and a backend: what a backend throws against its contract becomes INTERNAL naming it (rule ERR-3). */
public final class Guard {
    private final String backend;

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
     * @throws WeftException of the backend, or INTERNAL for any other Throwable but VirtualMachineError
     */
    public <T> T call(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (WeftException told) {
            throw told;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable defect) {
            throw internal(what, defect);
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
