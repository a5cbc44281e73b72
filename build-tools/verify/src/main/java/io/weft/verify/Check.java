package io.weft.verify;

import java.time.Duration;

/**
 * One test and how it ended.
 *
 * @param message why it failed or was skipped; empty if it passed
 */
record Check(String name, Outcome outcome, String message, Duration took) {

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
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
}
