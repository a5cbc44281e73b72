package io.weft.kv.layout;

import java.util.List;

/**
 * What a Weft rank tells its peers about its layout, so that a wrong combination is refused when ranks meet and not found
 * in the tokens (rule KV-7). Older peers do not send one.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param pageSize tokens per page
 * @param dtype name of the cache's element type, empty when unknown
 * @param mla whether there is one latent buffer per layer instead of K and V
 * @param tpSize attention TP size
 * @param tpRank attention TP rank
 * @param ppSize pipeline stages
 * @param ppRank this stage
 * @param totalKvHeads KV heads of the model, 0 when unknown
 * @param itemLens bytes of one page, per KV buffer
 * @param layerIds model layer of each KV buffer, -1 when unknown; empty when none is known
 * @param stateTypes names of the state components, in order
 * @param convShardGroups per component and tensor the full sizes of independently sharded sub-blocks; an empty innermost
 *     list for a tensor that is one block
 * @since 0.1
 */
public record PeerLayout(
        int pageSize,
        String dtype,
        boolean mla,
        int tpSize,
        int tpRank,
        int ppSize,
        int ppRank,
        int totalKvHeads,
        List<Long> itemLens,
        List<Integer> layerIds,
        List<String> stateTypes,
        List<List<List<Integer>>> convShardGroups) {
    /** Copies the lists. */
    public PeerLayout {
        itemLens = List.copyOf(itemLens);
        layerIds = List.copyOf(layerIds);
        stateTypes = List.copyOf(stateTypes);
        convShardGroups = convShardGroups.stream()
                .map(component -> component.stream().map(List::copyOf).toList())
                .toList();
    }
}
