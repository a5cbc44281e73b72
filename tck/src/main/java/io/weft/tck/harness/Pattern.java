package io.weft.tck.harness;

import java.util.SplittableRandom;

/** Bytes that a seed stands for, the same in every process. */
public final class Pattern {
    private Pattern() {}

    /**
     * Makes the bytes.
     *
     * @param seed the seed
     * @param length how many
     * @return bytes that look random
     */
    public static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
