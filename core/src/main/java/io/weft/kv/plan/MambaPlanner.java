package io.weft.kv.plan;

import io.weft.kv.layout.StateType;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans linear-attention state: one slot per request; between different TP sizes the rank's share of the sliced dimension,
 * sub-block by sub-block where a tensor concatenates several of them.
 */
final class MambaPlanner {
    private static final String FAILED = "PD state transfer failed: mamba ";

    private MambaPlanner() {}

    static StatePlan plan(StateSide source, StateSide destination, int[] sourceSlots, int[] destinationSlots) {
        if (sourceSlots.length != 1 || destinationSlots.length != 1) {
            throw Refusal.invalid(
                    FAILED + "requires single state index, got src=%d, dst=%d",
                    sourceSlots.length,
                    destinationSlots.length);
        }
        boolean sliced = source.tpSize() != destination.tpSize();
        List<StatePlan.Part> parts = new ArrayList<>();
        for (int tensor = 0; tensor < source.tensors(); tensor++) {
            SegmentPlan segments = new SegmentPlan(4);
            if (sliced) {
                slice(tensor, source, destination, sourceSlots[0], destinationSlots[0], segments);
            } else {
                StatePlanner.checkSameItem(StateType.MAMBA, source, destination, tensor);
                long itemLen = source.itemLens()[tensor];
                segments.add(sourceSlots[0] * itemLen, destinationSlots[0] * itemLen, itemLen);
            }
            parts.add(new StatePlan.Part(List.of(tensor), segments));
        }
        return new StatePlan(parts, 0);
    }

    private static void slice(
            int tensor,
            StateSide source,
            StateSide destination,
            int sourceSlot,
            int destinationSlot,
            SegmentPlan plan) {
        if (tensor >= source.dims().length
                || tensor >= destination.dims().length
                || destination.itemLens().length == 0) {
            throw Refusal.incompatible(
                    FAILED + "tensor %d: TP sizes differ (prefill %d, decode %d) and the sliced dimension is unknown: "
                            + "a whole-item copy would put bytes in the wrong place",
                    tensor,
                    source.tpSize(),
                    destination.tpSize());
        }
        long sourceItem = source.itemLens()[tensor];
        long destinationItem = destination.itemLens()[tensor];
        long sourceDim = source.dims()[tensor];
        long destinationDim = destination.dims()[tensor];
        long unit = unitBytes(tensor, sourceItem, sourceDim, destinationItem, destinationDim);
        if (sourceDim * source.tpSize() != destinationDim * destination.tpSize()) {
            throw Refusal.incompatible(
                    FAILED + "tensor %d: %d of dimension on each of %d prefill ranks, %d on each of %d decode ranks",
                    tensor,
                    sourceDim,
                    source.tpSize(),
                    destinationDim,
                    destination.tpSize());
        }
        long sourceAt = sourceSlot * sourceItem;
        long destinationAt = destinationSlot * destinationItem;
        List<Integer> groups = source.convGroups(tensor);
        for (SubBlock block : groups.isEmpty()
                ? List.of(SubBlock.whole(source, destination, sourceDim, destinationDim))
                : SubBlock.ofGroups(
                        groups, source.tpSize(), source.tpRank(), destination.tpSize(), destination.tpRank())) {
            checkInside(tensor, block, sourceDim, destinationDim);
            plan.add(
                    sourceAt + block.source() * unit, destinationAt + block.destination() * unit, block.count() * unit);
        }
    }

    private static long unitBytes(
            int tensor, long sourceItem, long sourceDim, long destinationItem, long destinationDim) {
        boolean divides = sourceDim > 0
                && destinationDim > 0
                && sourceItem % sourceDim == 0
                && destinationItem % destinationDim == 0
                && sourceItem / sourceDim == destinationItem / destinationDim;
        if (!divides) {
            throw Refusal.incompatible(
                    FAILED + "tensor %d: items of %d bytes over %d on prefill, %d bytes over %d on decode: "
                            + "not the same bytes per unit",
                    tensor,
                    sourceItem,
                    sourceDim,
                    destinationItem,
                    destinationDim);
        }
        return sourceItem / sourceDim;
    }

    private static void checkInside(int tensor, SubBlock block, long sourceDim, long destinationDim) {
        if (block.source() + block.count() > sourceDim || block.destination() + block.count() > destinationDim) {
            throw Refusal.incompatible(
                    FAILED + "tensor %d: sub-block %s does not fit into %d of dimension on prefill and %d on decode",
                    tensor,
                    block,
                    sourceDim,
                    destinationDim);
        }
    }
}
