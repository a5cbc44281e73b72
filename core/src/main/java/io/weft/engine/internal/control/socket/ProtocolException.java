package io.weft.engine.internal.control.socket;

import java.util.Objects;

/** A peer sent what the protocol does not allow. Has no stack trace: who provokes it should not make us walk stacks. */
final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String found) {
        super(found, null, false, false);
    }

    /** Never null: every constructor takes one. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
