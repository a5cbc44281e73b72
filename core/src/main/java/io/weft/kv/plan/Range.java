package io.weft.kv.plan;

/**
 * Positions from {@code from} up to, not including, {@code to}.
 *
 * @param from first position
 * @param to position after the last
 * @since 0.1
 */
public record Range(int from, int to) {
    /**
     * Checks the order.
     *
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if it ends before it starts
     */
    public Range {
        if (from < 0 || to < from) {
            throw Refusal.invalid("range from %d to %d", from, to);
        }
    }

    /**
     * A range by its length.
     *
     * @param from first position
     * @param size how many
     * @return the range
     */
    public static Range of(int from, int size) {
        return new Range(from, from + size);
    }

    /**
     * How many positions.
     *
     * @return 0 or more
     */
    public int size() {
        return to - from;
    }
}
