package io.weft.backend.libfabric.ofi;

import java.util.Objects;

/** A libfabric call failed; policy decides what that means. */
public final class OfiException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Positive libfabric error number. */
    private final int errno;

    OfiException(String call, String what, int errno, String text) {
        super(call + " on " + what + ": " + text + " (" + errno + ")");
        this.errno = errno;
    }

    /**
     * The number.
     *
     * @return a positive errno or {@code FI_E*} value
     */
    public int errno() {
        return errno;
    }

    /**
     * What was tried, on what, what was found.
     *
     * @return the text, never null: every constructor takes one
     */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
