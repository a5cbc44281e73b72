package io.weft.replay.pages;

/**
 * The pages of one trace block in one side's pool, and where their bytes came from.
 *
 * <p>Guarded by its cache's lock, except that a lease's holder may read it.
 */
public final class Block {
    private final long hash;
    private final int[] pages;
    private final long[] seeds;
    private final int[] sourcePages;
    int leases;
    boolean cached;

    Block(long hash, int[] pages) {
        this.hash = hash;
        this.pages = pages;
        this.seeds = new long[pages.length];
        this.sourcePages = new int[pages.length];
    }

    /**
     * The block's hash in the trace.
     *
     * @return the hash
     */
    public long hash() {
        return hash;
    }

    /**
     * Page ids in this side's pool.
     *
     * @return the array, not copied
     */
    public int[] pages() {
        return pages;
    }

    /**
     * Says what a page's bytes are.
     *
     * @param index which page of the block
     * @param seed seed of the pattern
     * @param sourcePage page id at the side that computed it
     */
    public void fillWith(int index, long seed, int sourcePage) {
        seeds[index] = seed;
        sourcePages[index] = sourcePage;
    }

    /**
     * Seed of a page's pattern.
     *
     * @param index which page of the block
     * @return the seed
     */
    public long seed(int index) {
        return seeds[index];
    }

    /**
     * Where a page was computed.
     *
     * @param index which page of the block
     * @return page id at the side that computed it
     */
    public int sourcePage(int index) {
        return sourcePages[index];
    }
}
