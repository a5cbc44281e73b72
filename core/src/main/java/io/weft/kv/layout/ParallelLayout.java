package io.weft.kv.layout;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;

/**
 * A rank's place among its side's ranks. TP and CP are those of attention.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param tpSize attention TP size
 * @param tpRank attention TP rank
 * @param cpSize attention CP size
 * @param cpRank attention CP rank
 * @param dpSize attention DP size
 * @param dpRank attention DP rank
 * @param ppSize pipeline stages
 * @param ppRank this stage
 * @param systemDpSize replicas of the whole model, 1 with DP attention
 * @param systemDpRank this replica
 * @since 0.1
 */
public record ParallelLayout(
        int tpSize,
        int tpRank,
        int cpSize,
        int cpRank,
        int dpSize,
        int dpRank,
        int ppSize,
        int ppRank,
        int systemDpSize,
        int systemDpRank) {
    /** One rank that is everything. */
    public static final ParallelLayout SINGLE = tp(1, 0);

    /**
     * Checks every rank against its size.
     *
     * @throws WeftException INVALID_ARGUMENT naming the pair
     */
    public ParallelLayout {
        check("TP", tpSize, tpRank);
        check("CP", cpSize, cpRank);
        check("DP", dpSize, dpRank);
        check("PP", ppSize, ppRank);
        check("system DP", systemDpSize, systemDpRank);
    }

    /**
     * A layout with tensor parallelism only.
     *
     * @param size TP size
     * @param rank TP rank
     * @return the layout
     */
    public static ParallelLayout tp(int size, int rank) {
        return new ParallelLayout(size, rank, 1, 0, 1, 0, 1, 0, 1, 0);
    }

    /**
     * Derives the attention sizes and ranks from a server's: with DP attention the TP ranks of a server are split into DP
     * groups of CP groups of attention TP ranks; without, the replicas are whole servers.
     *
     * @param serverTp TP size of the server
     * @param serverTpRank TP rank in it
     * @param serverDp DP size of the server
     * @param serverDpRank replica rank, used without DP attention
     * @param dpAttention whether DP is inside attention
     * @param cp attention CP size
     * @param pp pipeline stages
     * @param ppRank this stage
     * @return the layout
     * @throws WeftException INVALID_ARGUMENT if the TP size does not divide
     */
    public static ParallelLayout ofServer(
            int serverTp,
            int serverTpRank,
            int serverDp,
            int serverDpRank,
            boolean dpAttention,
            int cp,
            int pp,
            int ppRank) {
        int groups = dpAttention ? serverDp : 1;
        if (groups < 1 || cp < 1 || serverTp % (groups * cp) != 0) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "TP size " + serverTp + " does not divide into " + groups + " DP groups of " + cp + " CP ranks");
        }
        int tp = serverTp / (groups * cp);
        return new ParallelLayout(
                tp,
                serverTpRank % tp,
                cp,
                serverTpRank / tp % cp,
                groups,
                serverTpRank / (tp * cp),
                pp,
                ppRank,
                dpAttention ? 1 : serverDp,
                dpAttention ? 0 : serverDpRank);
    }

    private static void check(String what, int size, int rank) {
        if (size < 1 || rank < 0 || rank >= size) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, what + " rank " + rank + " of " + size + ": must be 0 to size - 1");
        }
    }
}
