package io.weft.backend.rdma.verbs;

import io.weft.ffi.Errno;
import java.util.Objects;

/** A verb failed; policy decides what that means. */
public final class VerbsException extends Exception {
    private static final long serialVersionUID = 1L;

    /** errno of the call. */
    private final int errno;

    /**
     * Names verb, object and errno.
     *
     * @param verb such as {@code ibv_reg_mr}
     * @param what on what, such as the device and length
     * @param errno the number kept from the call
     */
    public VerbsException(String verb, String what, int errno) {
        super(verb + " on " + what + ": " + (errno == 0 ? "failed without errno" : Errno.describe(errno)));
        this.errno = errno;
    }

    /**
     * The number.
     *
     * @return errno, 0 if the verb gave none
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
