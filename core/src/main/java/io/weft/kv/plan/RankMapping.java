package io.weft.kv.plan;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which prefill ranks a decode rank talks to, how many decode ranks a prefill rank hears from, and whose success counts.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param targetTpRank the prefill TP rank that sends to an MLA decode rank; the others are dummies there
 * @param targetTpRanks prefill TP ranks to contact
 * @param targetCpRanks prefill CP ranks to contact
 * @param targetPpRanks prefill PP ranks to contact
 * @param requiredPeers distinct decode ranks that each of them waits for
 * @param requiredResponses distinct prefill ranks whose success completes a room
 * @param mla whether only the target TP rank sends
 * @param shape the prefill side's shape
 * @since 0.1
 */
public record RankMapping(
        int targetTpRank,
        List<Integer> targetTpRanks,
        List<Integer> targetCpRanks,
        List<Integer> targetPpRanks,
        int requiredPeers,
        int requiredResponses,
        boolean mla,
        PrefillShape shape) {

    /**
     * What of the prefill side decides the mapping.
     *
     * @param tpSize attention TP size
     * @param cpSize attention CP size
     * @param ppSize pipeline stages
     * @param allCpRanksSend whether every CP rank sends its share, instead of only the first
     * @since 0.1
     */
    public record PrefillShape(int tpSize, int cpSize, int ppSize, boolean allCpRanksSend) {}

    /**
     * What of the decode side decides the mapping.
     *
     * @param tpSize attention TP size
     * @param engineRank engine rank, taken modulo the size
     * @param cpSize attention CP size, must be 1
     * @param ppSize pipeline stages, 1 or as many as prefill has
     * @param ppRank this stage
     * @since 0.1
     */
    public record DecodeShape(int tpSize, int engineRank, int cpSize, int ppSize, int ppRank) {}

    /**
     * Computes the mapping.
     *
     * @param decode this decode rank
     * @param prefill the prefill side
     * @param mla whether the cache is replicated over TP ranks
     * @return the mapping
     * @throws io.weft.api.WeftException INCOMPATIBLE, naming both sides' values
     */
    public static RankMapping of(DecodeShape decode, PrefillShape prefill, boolean mla) {
        check(decode, prefill);
        int rank = Math.floorMod(decode.engineRank(), decode.tpSize());
        int targetsFrom;
        int targets = 1;
        int peers = 1;
        int responses = 1;
        if (decode.tpSize() >= prefill.tpSize()) {
            peers = decode.tpSize() / prefill.tpSize();
            targetsFrom = rank / peers;
        } else {
            targets = prefill.tpSize() / decode.tpSize();
            targetsFrom = rank * targets;
            responses = mla ? 1 : targets;
        }
        boolean allCp = prefill.cpSize() > 1 && prefill.allCpRanksSend();
        List<Integer> cpRanks = allCp ? ranks(0, prefill.cpSize()) : List.of(0);
        boolean samePp = decode.ppSize() == prefill.ppSize();
        List<Integer> ppRanks = samePp ? List.of(decode.ppRank()) : ranks(0, prefill.ppSize());
        return new RankMapping(
                targetsFrom,
                ranks(targetsFrom, targets),
                cpRanks,
                ppRanks,
                peers,
                responses * cpRanks.size() * ppRanks.size(),
                mla,
                prefill);
    }

    /**
     * The unique number of a prefill rank, as it is sent in status messages.
     *
     * @param tpRank TP rank
     * @param ppRank PP rank
     * @param cpRank CP rank
     * @param ppSize pipeline stages
     * @param cpSize CP size
     * @return the number
     */
    public static int uniqueRank(int tpRank, int ppRank, int cpRank, int ppSize, int cpSize) {
        return tpRank * (ppSize * cpSize) + ppRank * cpSize + cpRank;
    }

    /**
     * Whether a contacted prefill rank has nothing to send here (rule KV-5).
     *
     * @param tpRank a prefill TP rank
     * @return true for every rank but the target, with MLA
     */
    public boolean isDummy(int tpRank) {
        return mla && tpRank != targetTpRank;
    }

    /**
     * The prefill ranks that really send, as unique numbers: only their statuses count.
     *
     * @return a new set of {@link #requiredResponses} numbers
     */
    public BitSet sendingRanks() {
        BitSet ranks = new BitSet();
        for (int tp : targetTpRanks) {
            for (int pp : targetPpRanks) {
                for (int cp : targetCpRanks) {
                    if (!isDummy(tp)) {
                        ranks.set(uniqueRank(tp, pp, cp, shape.ppSize(), shape.cpSize()));
                    }
                }
            }
        }
        return ranks;
    }

    /**
     * Transfer shard of a room, so that one room is always on the same.
     *
     * @param room room id, unsigned
     * @param shards how many there are
     * @return the shard
     */
    public static int shard(long room, int shards) {
        return (int) Long.remainderUnsigned(room, shards);
    }

    private static List<Integer> ranks(int from, int count) {
        return IntStream.range(from, from + count).boxed().toList();
    }

    private static void check(DecodeShape decode, PrefillShape prefill) {
        int d = decode.tpSize();
        int p = prefill.tpSize();
        if (d < 1 || p < 1 || (d % p != 0 && p % d != 0)) {
            throw Refusal.incompatible(
                    "prefill TP size %d and decode TP size %d: one must be a multiple of the other", p, d);
        }
        if (decode.cpSize() != 1) {
            throw Refusal.incompatible(
                    "decode CP size %d (prefill %d): decode must not use context parallelism",
                    decode.cpSize(), prefill.cpSize());
        }
        if (decode.ppSize() != 1 && decode.ppSize() != prefill.ppSize()) {
            throw Refusal.incompatible(
                    "decode PP size %d and prefill PP size %d: decode must have 1 or as many",
                    decode.ppSize(), prefill.ppSize());
        }
    }
}
