package io.weft.engine.internal.segment;

import java.util.Arrays;

/**
 * Sorts unsigned 64-bit keys and remembers where each came from. Least significant digit first, over those digits only in
 * which the keys differ: offsets of pages in a region differ in some 20 bits, which is two passes. Keeps its arrays; confined
 * to one thread.
 */
final class RadixSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;
    /** Below this, moving a few entries is cheaper than counting. */
    private static final int SMALL = 48;

    /** Keys to sort; sorted afterwards. */
    long[] keys = new long[0];
    /** After sorting: which position the key at this place had. */
    int[] origin = new int[0];

    private long[] otherKeys = new long[0];
    private int[] otherOrigin = new int[0];
    private final int[] counts = new int[DIGITS];

    /** Makes room for {@code n} keys in {@link #keys}; old ones are lost. */
    void prepare(int n) {
        if (keys.length < n) {
            int capacity = Math.max(64, Integer.highestOneBit(n - 1) << 1);
            keys = new long[capacity];
            otherKeys = new long[capacity];
            origin = new int[capacity];
            otherOrigin = new int[capacity];
        }
    }

    /** Entries that the arrays have room for. */
    int capacity() {
        return keys.length;
    }

    /** Lets go of the arrays. */
    void trim() {
        keys = new long[0];
        otherKeys = keys;
        origin = new int[0];
        otherOrigin = origin;
    }

    /** Sorts the first {@code n} keys. Stable. */
    void sort(int n) {
        for (int i = 0; i < n; i++) {
            origin[i] = i;
        }
        if (n <= SMALL) {
            insertion(n);
            return;
        }
        long or = 0;
        long and = -1;
        for (int i = 0; i < n; i++) {
            or |= keys[i];
            and &= keys[i];
        }
        long differing = or & ~and;
        if (differing == 0) {
            return;
        }
        int low = Long.numberOfTrailingZeros(differing);
        int high = 64 - Long.numberOfLeadingZeros(differing);
        for (int shift = low; shift < high; shift += DIGIT_BITS) {
            pass(n, shift);
        }
    }

    private void pass(int n, int shift) {
        int[] count = counts;
        Arrays.fill(count, 0);
        for (int i = 0; i < n; i++) {
            count[(int) (keys[i] >>> shift) & DIGITS - 1]++;
        }
        int sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            int here = count[d];
            count[d] = sum;
            sum += here;
        }
        long[] fromKeys = keys;
        int[] fromOrigin = origin;
        long[] toKeys = otherKeys;
        int[] toOrigin = otherOrigin;
        for (int i = 0; i < n; i++) {
            long key = fromKeys[i];
            int to = count[(int) (key >>> shift) & DIGITS - 1]++;
            toKeys[to] = key;
            toOrigin[to] = fromOrigin[i];
        }
        keys = toKeys;
        origin = toOrigin;
        otherKeys = fromKeys;
        otherOrigin = fromOrigin;
    }

    private void insertion(int n) {
        for (int i = 1; i < n; i++) {
            long key = keys[i];
            int from = origin[i];
            int at = i;
            for (; at > 0 && Long.compareUnsigned(keys[at - 1], key) > 0; at--) {
                keys[at] = keys[at - 1];
                origin[at] = origin[at - 1];
            }
            keys[at] = key;
            origin[at] = from;
        }
    }
}
