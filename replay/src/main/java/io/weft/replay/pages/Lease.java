package io.weft.replay.pages;

import java.util.List;

/**
 * Blocks that one request holds, in prompt order. Nobody else gets their pages until the lease is given back.
 *
 * @param blocks all blocks of the prompt
 * @param hits how many at the start were in the cache already
 * @param epoch the cache's epoch when the lease was taken
 */
public record Lease(List<Block> blocks, int hits, long epoch) {
    /**
     * The blocks that were not in the cache.
     *
     * @return a view
     */
    public List<Block> missing() {
        return blocks.subList(hits, blocks.size());
    }

    /**
     * Page ids of some blocks, in order.
     *
     * @param some blocks
     * @return their pages, one after the other
     */
    public static int[] pages(List<Block> some) {
        return some.stream()
                .flatMapToInt(b -> java.util.Arrays.stream(b.pages()))
                .toArray();
    }
}
