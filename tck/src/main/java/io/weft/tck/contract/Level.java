package io.weft.tck.contract;

/**
 * How binding a rule is.
 *
 * @param kind the kind
 * @param detail the capability of a {@code CAP} rule, the reason of an {@code UNTESTABLE} one, else empty
 */
public record Level(Kind kind, String detail) {
    /** The kinds of levels. */
    public enum Kind {
        /** Holds always. */
        MUST,
        /** Holds where a capability is declared. */
        CAP,
        /** Proved by count over many tries. */
        STOCHASTIC,
        /** Cannot be proved by a test. */
        UNTESTABLE
    }

    /**
     * Reads {@code must}, {@code cap(NAME)}, {@code stochastic} or {@code untestable(REASON)}.
     *
     * @param text the text
     * @return the level
     * @throws IllegalArgumentException for any other text
     */
    public static Level parse(String text) {
        if (text.equals("must")) {
            return new Level(Kind.MUST, "");
        }
        if (text.equals("stochastic")) {
            return new Level(Kind.STOCHASTIC, "");
        }
        if (text.startsWith("cap(") && text.endsWith(")")) {
            return new Level(Kind.CAP, text.substring(4, text.length() - 1));
        }
        if (text.startsWith("untestable(") && text.endsWith(")")) {
            return new Level(Kind.UNTESTABLE, text.substring(11, text.length() - 1));
        }
        throw new IllegalArgumentException(
                "level '" + text + "' must be must, cap(NAME), stochastic or untestable(REASON)");
    }

    @Override
    public String toString() {
        return switch (kind) {
            case MUST -> "must";
            case STOCHASTIC -> "stochastic";
            case CAP -> "cap(" + detail + ")";
            case UNTESTABLE -> "untestable(" + detail + ")";
        };
    }
}
