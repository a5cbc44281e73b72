package io.weft.verify;

import java.time.Duration;

/**
 * One test and how it ended.
 *
 * @param message why it failed, was skipped or not run; empty if it passed
 */
record Check(String name, Outcome outcome, String message, Duration took) {

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED,
        /** Could not be tried because something before it failed; never a success. */
        NOT_RUN
    }

    static Check passed(String name, Duration took) {
        return new Check(name, Outcome.PASSED, "", took);
    }

    static Check failed(String name, String message, Duration took) {
        return new Check(name, Outcome.FAILED, message, took);
    }

    static Check skipped(String name, String reason) {
        return new Check(name, Outcome.SKIPPED, reason, Duration.ZERO);
    }

    static Check notRun(String name, String reason) {
        return new Check(name, Outcome.NOT_RUN, reason, Duration.ZERO);
    }
}
