package io.weft.kv.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A run of units of a sliced dimension that one rank sends to another. A convolution state concatenates blocks (key, key,
 * value) that are sharded each by itself, so that a rank's share is one run per block and not one run in all.
 *
 * @param source first unit at the prefill rank
 * @param destination first unit at the decode rank
 * @param count units
 * @since 0.1
 */
public record SubBlock(long source, long destination, long count) {
    /**
     * The runs of a tensor made of blocks.
     *
     * @param groups full, unsharded sizes of the blocks
     * @param prefillTp prefill TP size
     * @param prefillRank prefill TP rank
     * @param decodeTp decode TP size
     * @param decodeRank decode TP rank
     * @return one run per block
     * @throws io.weft.api.WeftException INCOMPATIBLE if a block does not divide among the ranks
     */
    public static List<SubBlock> ofGroups(
            List<Integer> groups, int prefillTp, int prefillRank, int decodeTp, int decodeRank) {
        List<SubBlock> blocks = new ArrayList<>();
        long sourceBase = 0;
        long destinationBase = 0;
        for (int full : groups) {
            if (full % prefillTp != 0 || full % decodeTp != 0) {
                throw Refusal.incompatible(
                        "state sub-block of %d units does not divide among %d prefill and %d decode TP ranks",
                        full, prefillTp, decodeTp);
            }
            long sourceShard = full / prefillTp;
            long destinationShard = full / decodeTp;
            blocks.add(share(prefillTp, prefillRank, decodeTp, decodeRank, sourceShard, destinationShard)
                    .shifted(sourceBase, destinationBase));
            sourceBase += sourceShard;
            destinationBase += destinationShard;
        }
        return blocks;
    }

    static SubBlock whole(StateSide source, StateSide destination, long sourceDim, long destinationDim) {
        return share(
                source.tpSize(),
                source.tpRank(),
                destination.tpSize(),
                destination.tpRank(),
                sourceDim,
                destinationDim);
    }

    private static SubBlock share(
            int prefillTp, int prefillRank, int decodeTp, int decodeRank, long sourceShard, long destinationShard) {
        if (prefillTp >= decodeTp) {
            int writers = prefillTp / decodeTp;
            return new SubBlock(0, prefillRank % writers * sourceShard, sourceShard);
        }
        int readers = decodeTp / prefillTp;
        return new SubBlock(decodeRank % readers * destinationShard, 0, destinationShard);
    }

    private SubBlock shifted(long sourceBy, long destinationBy) {
        return new SubBlock(source + sourceBy, destination + destinationBy, count);
    }
}
