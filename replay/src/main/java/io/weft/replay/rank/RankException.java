package io.weft.replay.rank;

/** A rank refused a command, ended, or did not answer in time; the message says which. */
public final class RankException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message what happened
     */
    public RankException(String message) {
        super(message);
    }
}
