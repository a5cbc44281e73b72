package io.weft.engine.internal.segment;

import java.util.Arrays;

/**
 * Sorts unsigned 64-bit keys and remembers where each came from. Least significant digit first, over those digits only in
 * which the keys differ: offsets of pages in a region differ in some 20 bits, which is two passes. Keeps its arrays; confined
 * to one thread.
 */
final class RadixSort {
    /** Wider digits mean fewer passes, and more places to write to than the processor keeps at hand. */
    private static final int WIDEST_DIGIT = 11;
    /** Below this, moving a few entries is cheaper than counting. */
    private static final int SMALL = 48;

    /** Keys to sort; sorted afterwards. */
    long[] keys = new long[0];
    /** After sorting: which position the key at this place had. */
    int[] origin = new int[0];

    private long[] otherKeys = new long[0];
    private int[] otherOrigin = new int[0];
    private final int[] counts = new int[1 << WIDEST_DIGIT];

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
        int high = Long.SIZE - Long.numberOfLeadingZeros(differing);
        int originBits = Integer.SIZE - Integer.numberOfLeadingZeros(n - 1);
        if (high - low + originBits <= Long.SIZE) {
            sortPacked(n, low, high - low, originBits);
        } else {
            int width = digitWidth(high - low);
            for (int shift = low; shift < high; shift += width) {
                pass(n, shift, width);
            }
        }
    }

    /** Keeps what differs of a key and where it came from in one word, so that each pass moves half as much. */
    private void sortPacked(int n, int low, int keyBits, int originBits) {
        long keyMask = -1L >>> Long.SIZE - keyBits;
        long alike = keys[0] & ~(keyMask << low);
        for (int i = 0; i < n; i++) {
            keys[i] = (keys[i] >>> low & keyMask) << originBits | i;
        }
        int width = digitWidth(keyBits);
        for (int done = 0; done < keyBits; done += width) {
            packedPass(n, originBits + done, width);
        }
        int originMask = (1 << originBits) - 1;
        for (int i = 0; i < n; i++) {
            long packed = keys[i];
            origin[i] = (int) packed & originMask;
            keys[i] = packed >>> originBits << low | alike;
        }
    }

    /** As few passes as possible, and these as narrow as possible. */
    private static int digitWidth(int bits) {
        int passes = (bits + WIDEST_DIGIT - 1) / WIDEST_DIGIT;
        return (bits + passes - 1) / passes;
    }

    private void packedPass(int n, int shift, int width) {
        int[] place = places(n, shift, width);
        int mask = (1 << width) - 1;
        long[] from = keys;
        long[] to = otherKeys;
        for (int i = 0; i < n; i++) {
            long word = from[i];
            to[place[(int) (word >>> shift) & mask]++] = word;
        }
        keys = to;
        otherKeys = from;
    }

    private void pass(int n, int shift, int width) {
        int[] place = places(n, shift, width);
        int mask = (1 << width) - 1;
        long[] fromKeys = keys;
        int[] fromOrigin = origin;
        long[] toKeys = otherKeys;
        int[] toOrigin = otherOrigin;
        for (int i = 0; i < n; i++) {
            long key = fromKeys[i];
            int to = place[(int) (key >>> shift) & mask]++;
            toKeys[to] = key;
            toOrigin[to] = fromOrigin[i];
        }
        keys = toKeys;
        origin = toOrigin;
        otherKeys = fromKeys;
        otherOrigin = fromOrigin;
    }

    /** Where the first key of each digit goes. */
    private int[] places(int n, int shift, int width) {
        int[] count = counts;
        int mask = (1 << width) - 1;
        long[] from = keys;
        Arrays.fill(count, 0, mask + 1, 0);
        for (int i = 0; i < n; i++) {
            count[(int) (from[i] >>> shift) & mask]++;
        }
        int sum = 0;
        for (int d = 0; d <= mask; d++) {
            int here = count[d];
            count[d] = sum;
            sum += here;
        }
        return count;
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
