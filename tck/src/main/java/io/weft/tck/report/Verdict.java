package io.weft.tck.report;

import java.util.Locale;

/** What a run says of a rule. */
public enum Verdict {
    /** Every case held. */
    PASSED,
    /** A case did not hold. */
    FAILED,
    /** The backend does not declare what the rule is about. */
    NOT_APPLICABLE,
    /** It does not hold, and an exclusion says so. */
    EXCLUDED,
    /** No test can prove it. */
    UNTESTABLE,
    /** It was not tried. */
    NOT_RUN;

    /**
     * As certificates write it.
     *
     * @return such as {@code not-applicable}
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param text the text
     * @return the verdict
     * @throws IllegalArgumentException for another text
     */
    public static Verdict of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
