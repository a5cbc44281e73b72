package io.weft.kv.plan;

/**
 * The heads that a prefill rank sends to a decode rank of another TP size, and where they lie in a token on both sides.
 * Computed from global head ids, so that it is right when either side holds copies of heads; the original's arithmetic
 * sends other heads when decode holds copies and the prefill rank more than one head.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param pageSize tokens per page
 * @param sourceItemLen bytes of a source page
 * @param destinationItemLen bytes of a destination page
 * @param source heads of the prefill rank
 * @param destination heads of the decode rank
 * @param firstHead first head to send, counted over the model
 * @param heads how many to send
 * @param headBytes bytes of one head of one token
 * @since 0.1
 */
public record HeadSlice(
        int pageSize,
        long sourceItemLen,
        long destinationItemLen,
        HeadShare source,
        HeadShare destination,
        int firstHead,
        int heads,
        long headBytes) {
    /**
     * Computes the slice.
     *
     * @param totalHeads KV heads of the model
     * @param pageSize tokens per page
     * @param prefillTp prefill TP size
     * @param prefillRank prefill rank, taken modulo the size
     * @param decodeTp decode TP size
     * @param decodeRank decode rank, taken modulo the size
     * @param sourceItemLen bytes of a source page
     * @param destinationItemLen bytes of a destination page
     * @return the slice
     * @throws io.weft.api.WeftException INCOMPATIBLE, naming both sides' values
     */
    public static HeadSlice of(
            int totalHeads,
            int pageSize,
            int prefillTp,
            int prefillRank,
            int decodeTp,
            int decodeRank,
            long sourceItemLen,
            long destinationItemLen) {
        HeadShare source = HeadShare.of("prefill", totalHeads, prefillTp, Math.floorMod(prefillRank, prefillTp));
        HeadShare destination = HeadShare.of("decode", totalHeads, decodeTp, Math.floorMod(decodeRank, decodeTp));
        int first = Math.max(source.first(), destination.first());
        int end = Math.min(source.first() + source.count(), destination.first() + destination.count());
        if (first >= end) {
            throw Refusal.invalid(
                    "prefill rank %d of %d holds none of the heads that decode rank %d of %d needs (%d heads in all)",
                    prefillRank, prefillTp, decodeRank, decodeTp, totalHeads);
        }
        long sourceHead = headBytes("prefill", sourceItemLen, pageSize, source.count());
        long destinationHead = headBytes("decode", destinationItemLen, pageSize, destination.count());
        if (sourceHead != destinationHead) {
            throw Refusal.incompatible(
                    "KV head slice differs: prefill has pages of %d bytes (%d heads of %d bytes per token), decode pages of "
                            + "%d bytes (%d heads of %d bytes per token), page size %d",
                    sourceItemLen,
                    source.count(),
                    sourceHead,
                    destinationItemLen,
                    destination.count(),
                    destinationHead,
                    pageSize);
        }
        return new HeadSlice(
                pageSize, sourceItemLen, destinationItemLen, source, destination, first, end - first, sourceHead);
    }

    /**
     * Position of the first head to send in a source token.
     *
     * @return heads
     */
    public int sourceStart() {
        return firstHead - source.first();
    }

    /**
     * Position of the first head to send in a destination token.
     *
     * @return heads
     */
    public int destinationStart() {
        return firstHead - destination.first();
    }

    /**
     * Bytes to send per token.
     *
     * @return bytes
     */
    public long bytesPerToken() {
        return heads * headBytes;
    }

    /**
     * Whether whole pages can be copied, because both sides hold exactly the heads to send.
     *
     * @return true if page runs do as well
     */
    public boolean isWholePage() {
        return source.first() == destination.first()
                && source.count() == destination.count()
                && sourceItemLen == destinationItemLen;
    }

    /**
     * Adds one segment per token of each page pair. The shorter list decides how many pairs there are.
     *
     * @param source source pages
     * @param destination destination pages
     * @param plan gets the segments
     */
    public void plan(int[] source, int[] destination, SegmentPlan plan) {
        plan(source, 0, destination, 0, Math.min(source.length, destination.length), plan);
    }

    /**
     * Adds one segment per token of each page pair.
     *
     * @param source source pages
     * @param sourceFrom first one to take
     * @param destination destination pages
     * @param destinationFrom first one to take
     * @param pages how many to take from each
     * @param plan gets the segments
     */
    public void plan(
            int[] source, int sourceFrom, int[] destination, int destinationFrom, int pages, SegmentPlan plan) {
        long sourceToken = sourceItemLen / pageSize;
        long destinationToken = destinationItemLen / pageSize;
        long sourceHead = sourceStart() * headBytes;
        long destinationHead = destinationStart() * headBytes;
        long length = bytesPerToken();
        plan.reserve(Math.multiplyExact(pages, pageSize));
        for (int i = 0; i < pages; i++) {
            plan.fill(
                    pageSize,
                    source[sourceFrom + i] * sourceItemLen + sourceHead,
                    sourceToken,
                    destination[destinationFrom + i] * destinationItemLen + destinationHead,
                    destinationToken,
                    length);
        }
    }

    private static long headBytes(String side, long itemLen, int pageSize, int heads) {
        long perToken = itemLen / pageSize;
        if (perToken / heads == 0) {
            throw Refusal.incompatible(
                    "KV head slice evaluates to zero: %s pages of %d bytes hold %d tokens of %d heads",
                    side, itemLen, pageSize, heads);
        }
        if (itemLen % pageSize != 0 || perToken % heads != 0) {
            throw Refusal.incompatible(
                    "%s pages of %d bytes do not divide into %d tokens of %d heads", side, itemLen, pageSize, heads);
        }
        return perToken / heads;
    }
}
