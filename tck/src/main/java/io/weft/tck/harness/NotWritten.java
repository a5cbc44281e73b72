package io.weft.tck.harness;

/** A rule could not hold, since a method of the backend that it stands on is not written; says nothing about the rule. */
public final class NotWritten extends AssertionError {
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message what to write
     */
    public NotWritten(String message) {
        super(message);
    }
}
