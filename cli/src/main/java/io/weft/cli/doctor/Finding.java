package io.weft.cli.doctor;

import java.util.Locale;
import java.util.Objects;

/**
 * One line of the doctor.
 *
 * @param level how bad it is
 * @param area what it is about, in one word
 * @param text what was found, with the values
 * @param advice what to do, empty if nothing
 */
public record Finding(Level level, String area, String text, String advice) {
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

    /** Checks for null. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(area, "area");
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(advice, "advice");
    }

    static Finding ok(String area, String text) {
        return new Finding(Level.OK, area, text, "");
    }

    static Finding warning(String area, String text, String advice) {
        return new Finding(Level.WARNING, area, text, advice);
    }

    static Finding problem(String area, String text, String advice) {
        return new Finding(Level.PROBLEM, area, text, advice);
    }
}
