package io.weft.cli.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * One line of the doctor.
 *
 * @param level how bad it is
 * @param area what it is about, in one word
 * @param text what was found, with the values
 * @param advice what to do, empty if nothing
 * @param evidence what was looked at on the way, line by line
 */
public record Finding(Level level, String area, String text, String advice, List<String> evidence) {
    /** How bad a finding is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but slower or less than it could, or only for some uses. */
        WARNING,
        /** Will fail. */
        PROBLEM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Checks for null, and copies. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(area, "area");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(advice, "advice");
        evidence = List.copyOf(evidence);
    }

    /**
     * All is well.
     *
     * @param area what it is about
     * @param text what was found
     * @return the finding
     */
    public static Finding ok(String area, String text) {
        return new Finding(Level.OK, area, text, "", List.of());
    }

    static Finding warning(String area, String text, String advice) {
        return new Finding(Level.WARNING, area, text, advice, List.of());
    }

    /**
     * Something will fail.
     *
     * @param area what it is about
     * @param text what was found
     * @param advice what to do, empty if nothing
     * @return the finding
     */
    public static Finding problem(String area, String text, String advice) {
        return new Finding(Level.PROBLEM, area, text, advice, List.of());
    }

    Finding withEvidence(List<String> lines) {
        return new Finding(level, area, text, advice, lines);
    }
}
