package io.weft.replay.run;

/**
 * "One in N", for faults that are put in on purpose.
 *
 * @param every N; 0 means never
 */
public record Ratio(int every) {
    /** Never. */
    public static final Ratio NEVER = new Ratio(0);

    /**
     * Parses {@code 1/N}.
     *
     * @param text such as {@code 1/1000}
     * @return the ratio
     * @throws IllegalArgumentException for anything else
     */
    public static Ratio parse(String text) {
        if (text.matches("1/[1-9][0-9]{0,8}")) {
            return new Ratio(Integer.parseInt(text.substring(2)));
        }
        throw new IllegalArgumentException("'" + text + "' is not of the form 1/N, as 1/1000");
    }

    /**
     * Whether the n-th thing is hit.
     *
     * @param ordinal counted from 1
     * @return true for every N-th
     */
    boolean hits(long ordinal) {
        return every > 0 && ordinal % every == 0;
    }
}
