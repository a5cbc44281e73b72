package io.weft.replay.rank;

import java.util.Objects;

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

    /**
     * What happened.
     *
     * @return the text, never null
     */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
