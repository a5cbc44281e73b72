package io.weft.kv.plan;

import io.weft.kv.layout.PeerLayout;
import java.util.List;

/**
 * The KV buffers of one rank as far as they are known to the one who plans.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param tpSize attention TP size
 * @param tpRank attention TP rank
 * @param pageSize tokens per page, 0 when unknown
 * @param dtype element type, empty when unknown
 * @param mla whether there is one buffer per layer, replicated over TP ranks
 * @param totalHeads KV heads of the model, 0 when unknown
 * @param startLayer first model layer held
 * @param buffers how many buffers there are
 * @param itemLens bytes of one page per buffer, or of the first buffer only when the others are unknown
 * @param layerIds model layer per buffer, empty when unknown
 * @since 0.1
 */
public record KvSide(
        int tpSize,
        int tpRank,
        int pageSize,
        String dtype,
        boolean mla,
        int totalHeads,
        int startLayer,
        int buffers,
        List<Long> itemLens,
        List<Integer> layerIds) {
    /** Copies the lists. */
    public KvSide {
        itemLens = List.copyOf(itemLens);
        layerIds = List.copyOf(layerIds);
        if (itemLens.isEmpty() && buffers > 0) {
            throw Refusal.invalid("%d KV buffers without an item length", buffers);
        }
        if (layerIds.contains(-1) || (!layerIds.isEmpty() && layerIds.size() != buffers)) {
            layerIds = List.of();
        }
    }

    /**
     * A rank that told its whole layout.
     *
     * @param layout the layout
     * @param startLayer first model layer held
     * @return the side
     */
    public static KvSide of(PeerLayout layout, int startLayer) {
        return new KvSide(
                layout.tpSize(),
                layout.tpRank(),
                layout.pageSize(),
                layout.dtype(),
                layout.mla(),
                layout.totalKvHeads(),
                startLayer,
                layout.itemLens().size(),
                layout.itemLens(),
                layout.layerIds());
    }

    boolean knowsEveryItemLen() {
        return itemLens.size() == buffers;
    }

    boolean isUniform() {
        return itemLens.stream().distinct().count() == 1;
    }
}
