package io.weft.cli.vectors;

/**
 * How one vector came out.
 *
 * @param vector its name
 * @param kind what was tested
 * @param verdict the verdict
 * @param expected what was expected, for a failure
 * @param actual what came out, for a failure; why it was left out, for a skip
 */
public record Outcome(String vector, String kind, Verdict verdict, String expected, String actual) {
    /** Verdicts. */
    public enum Verdict {
        /** As expected. */
        PASSED,
        /** Not as expected. */
        FAILED,
        /** Left out, because the backend that owns the section has no codec on the path. */
        SKIPPED
    }

    static Outcome passed(Vector v) {
        return new Outcome(v.name(), v.kind(), Verdict.PASSED, "", "");
    }

    static Outcome failed(Vector v, String expected, String actual) {
        return new Outcome(v.name(), v.kind(), Verdict.FAILED, expected, actual);
    }

    static Outcome skipped(Vector v, String why) {
        return new Outcome(v.name(), v.kind(), Verdict.SKIPPED, "", why);
    }
}
