package io.weft.cli.rank;

/**
 * The bytes that a rank's buffers hold: a hash of logical coordinates only, so that what must arrive can be computed for any
 * mix of layouts.
 *
 * <p>{@code h = seed*0x9E3779B1 + kind*0x85EBCA6B + layer*0xC2B2AE35 + page*0x27D4EB2F + token*0x165667B1 + unit*0xD3A2646C +
 * b*0xFD7046C5}, then {@code h ^= h>>>15; h *= 0x2C1B3C6D; h ^= h>>>12}, and the byte is the lowest of h. Pure.
 */
final class Pattern {
    /** Kind of K, and of the whole cache for MLA. */
    static final int K = 0;
    /** Kind of V. */
    static final int V = 1;
    /** Kind of the first state component. */
    static final int STATE = 16;
    /** Kind of aux rows. */
    static final int AUX = 100;

    private static final int STEP = 0xFD7046C5;

    private Pattern() {}

    /**
     * Fills the bytes of one unit: a head of a token, a slice of a state's dimension, an aux row.
     *
     * @param to where to
     * @param at index of the unit's first byte
     * @param length bytes of the unit
     */
    static void unit(byte[] to, int at, int length, long seed, int kind, int layer, int page, int token, int unit) {
        int base = (int) seed * 0x9E3779B1
                + kind * 0x85EBCA6B
                + layer * 0xC2B2AE35
                + page * 0x27D4EB2F
                + token * 0x165667B1
                + unit * 0xD3A2646C;
        for (int b = 0; b < length; b++) {
            int h = base + b * STEP;
            h ^= h >>> 15;
            h *= 0x2C1B3C6D;
            h ^= h >>> 12;
            to[at + b] = (byte) h;
        }
    }
}
