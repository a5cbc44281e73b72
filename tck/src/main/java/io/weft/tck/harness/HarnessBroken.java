package io.weft.tck.harness;

/** The kit itself, or the place it runs in, does not work; says nothing about any rule. */
public final class HarnessBroken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message what does not work and what to do
     */
    public HarnessBroken(String message) {
        super(message);
    }

    /**
     * Creates it with a cause.
     *
     * @param message what does not work and what to do
     * @param cause why
     */
    public HarnessBroken(String message, Throwable cause) {
        super(message, cause);
    }
}
