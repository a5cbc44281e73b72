package io.weft.kv.plan;

/**
 * The share of a room's pages that one context-parallel rank sends when all of them send: consecutive and as equal as
 * possible, the first ranks taking one page more.
 *
 * @param bounds page positions of the rank's share
 * @since 0.1
 */
public record CpShare(Range bounds) {
    /**
     * Computes a share.
     *
     * @param totalPages pages of the room
     * @param cpSize context-parallel size
     * @param cpRank this rank
     * @return the share
     * @throws io.weft.api.WeftException INVALID_ARGUMENT for a rank outside the size
     */
    public static CpShare of(int totalPages, int cpSize, int cpRank) {
        if (totalPages < 0 || cpRank < 0 || cpRank >= cpSize) {
            throw Refusal.invalid("share %d pages among %d CP ranks, rank %d", totalPages, cpSize, cpRank);
        }
        int base = totalPages / cpSize;
        int rest = totalPages % cpSize;
        return new CpShare(Range.of(cpRank * base + Math.min(cpRank, rest), base + (cpRank < rest ? 1 : 0)));
    }

    /**
     * The part of a chunk that falls into the share.
     *
     * @param chunk page positions of the chunk
     * @return the part, empty at the chunk's start if there is none
     */
    public Range within(Range chunk) {
        int from = Math.max(bounds.from(), chunk.from());
        int to = Math.min(bounds.to(), chunk.to());
        return from < to ? new Range(from, to) : new Range(chunk.from(), chunk.from());
    }
}
