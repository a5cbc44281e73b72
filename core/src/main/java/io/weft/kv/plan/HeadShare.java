package io.weft.kv.plan;

/**
 * Which KV heads of the model a rank holds. With no more ranks than heads each holds an equal run of consecutive heads;
 * with more, consecutive ranks hold copies of one head.
 *
 * @param first the rank's first head, counted over the model
 * @param count how many it holds
 * @param replicas how many consecutive ranks hold the same heads
 * @since 0.1
 */
public record HeadShare(int first, int count, int replicas) {
    /**
     * Computes the share.
     *
     * @param side {@code prefill} or {@code decode}, for the message
     * @param totalHeads KV heads of the model
     * @param tpSize attention TP size
     * @param tpRank attention TP rank
     * @return the share
     * @throws io.weft.api.WeftException INCOMPATIBLE if heads and ranks do not divide
     */
    public static HeadShare of(String side, int totalHeads, int tpSize, int tpRank) {
        if (totalHeads < 1 || tpSize < 1 || tpRank < 0 || tpRank >= tpSize) {
            throw Refusal.invalid("%s: %d KV heads, TP size %d, TP rank %d", side, totalHeads, tpSize, tpRank);
        }
        if (totalHeads % tpSize == 0) {
            int each = totalHeads / tpSize;
            return new HeadShare(tpRank * each, each, 1);
        }
        if (tpSize % totalHeads == 0) {
            int replicas = tpSize / totalHeads;
            return new HeadShare(tpRank / replicas, 1, replicas);
        }
        throw Refusal.incompatible(
                "%s: %d KV heads cannot be shared by %d TP ranks: neither divides the other", side, totalHeads, tpSize);
    }
}
