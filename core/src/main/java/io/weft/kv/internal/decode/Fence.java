package io.weft.kv.internal.decode;

/** Cuts a prefill rank off from this rank's memory. Blocks, bounded. */
@FunctionalInterface
interface Fence {
    /**
     * Fences a rank.
     *
     * @param engineKey its engine key, empty when it never told; then everybody is cut off who could be it
     * @return whether nothing it posted before can reach memory here any more
     */
    boolean confirm(String engineKey);
}
