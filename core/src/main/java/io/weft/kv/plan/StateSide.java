package io.weft.kv.plan;

import java.util.List;

/**
 * One state component as one side has it.
 *
 * <p>Immutable as long as the arrays are left alone.
 *
 * @param tpSize attention TP size
 * @param tpRank attention TP rank
 * @param tensors how many tensors the component has
 * @param itemLens bytes of one item per tensor, empty when the peer did not say
 * @param dims size of the sliced dimension per tensor, empty when unknown or not sliceable
 * @param convGroups full sizes of independently sharded sub-blocks per tensor; empty for none
 * @since 0.1
 */
public record StateSide(
        int tpSize, int tpRank, int tensors, long[] itemLens, long[] dims, List<List<Integer>> convGroups) {
    /**
     * A side without sub-blocks.
     *
     * @param tpSize attention TP size
     * @param tpRank attention TP rank
     * @param itemLens bytes of one item per tensor
     * @param dims size of the sliced dimension per tensor, empty when unknown
     * @return the side
     */
    public static StateSide of(int tpSize, int tpRank, long[] itemLens, long[] dims) {
        return new StateSide(tpSize, tpRank, itemLens.length, itemLens, dims, List.of());
    }

    List<Integer> convGroups(int tensor) {
        return tensor < convGroups.size() ? convGroups.get(tensor) : List.of();
    }
}
