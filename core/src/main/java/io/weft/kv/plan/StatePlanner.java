package io.weft.kv.plan;

import io.weft.kv.layout.StateType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Plans state components. A component that the decode rank names no item of is skipped; one that it names items of must be
 * there on the prefill side (rule KV-1), where the original skipped silently.
 *
 * <p>Stateless; safe from any thread.
 *
 * @since 0.1
 */
public final class StatePlanner {
    private StatePlanner() {}

    /**
     * Plans one component.
     *
     * @param type its type
     * @param source the prefill side
     * @param destination the decode side
     * @param mla whether the model's cache is replicated over TP ranks
     * @param prefillPpSize prefill pipeline stages
     * @param sourceIndices items at the source
     * @param destinationIndices items at the destination
     * @return the plan
     * @throws io.weft.api.WeftException INCOMPATIBLE or INVALID_ARGUMENT, naming both sides' values
     */
    public static StatePlan plan(
            StateType type,
            StateSide source,
            StateSide destination,
            boolean mla,
            int prefillPpSize,
            int[] sourceIndices,
            int[] destinationIndices) {
        if (destinationIndices.length == 0) {
            return StatePlan.NOTHING;
        }
        checkTensors(type, source, destination);
        if (type == StateType.MAMBA) {
            checkSenders(source, destination, mla);
            return MambaPlanner.plan(source, destination, sourceIndices, destinationIndices);
        }
        checkParallelism(type, source, destination, mla, prefillPpSize);
        int common = commonLength(type, sourceIndices.length, destinationIndices.length);
        for (int tensor = 0; tensor < source.tensors(); tensor++) {
            checkSameItem(type, source, destination, tensor);
        }
        PageRuns runs = new PageRuns().group(sourceIndices, 0, destinationIndices, 0, common);
        Map<Long, List<Integer>> byItemLen = new TreeMap<>();
        for (int tensor = 0; tensor < source.tensors(); tensor++) {
            byItemLen
                    .computeIfAbsent(source.itemLens()[tensor], any -> new ArrayList<>())
                    .add(tensor);
        }
        List<StatePlan.Part> parts = new ArrayList<>();
        byItemLen.forEach((itemLen, tensors) -> {
            SegmentPlan segments = new SegmentPlan(runs.size());
            runs.materialize(itemLen, segments);
            parts.add(new StatePlan.Part(tensors, segments));
        });
        return new StatePlan(parts, Math.max(sourceIndices.length, destinationIndices.length) - common);
    }

    static void checkSameItem(StateType type, StateSide source, StateSide destination, int tensor) {
        long[] theirs = destination.itemLens();
        if (theirs.length > 0 && theirs[tensor] != source.itemLens()[tensor]) {
            throw Refusal.incompatible(
                    "PD state transfer failed: %s tensor %d has items of %d bytes on prefill and %d bytes on decode",
                    type.wireName(), tensor, source.itemLens()[tensor], theirs[tensor]);
        }
    }

    private static void checkTensors(StateType type, StateSide source, StateSide destination) {
        boolean lensFit = destination.itemLens().length == 0 || destination.itemLens().length == destination.tensors();
        if (source.tensors() != destination.tensors() || source.itemLens().length != source.tensors() || !lensFit) {
            throw Refusal.incompatible(
                    "PD state transfer failed: %s has %d tensors with item lengths %s on prefill and %d with %s on decode",
                    type.wireName(),
                    source.tensors(),
                    Arrays.toString(source.itemLens()),
                    destination.tensors(),
                    Arrays.toString(destination.itemLens()));
        }
    }

    /** With MLA one prefill rank sends for several; a state that is sliced over them would arrive in part. */
    private static void checkSenders(StateSide source, StateSide destination, boolean mla) {
        if (mla && source.tpSize() > destination.tpSize()) {
            throw Refusal.incompatible(
                    "PD state transfer failed: mamba state of an MLA model is sliced over %d prefill TP ranks, of which "
                            + "only one per decode rank sends (%d decode TP ranks): prefill must not have more",
                    source.tpSize(), destination.tpSize());
        }
    }

    private static void checkParallelism(
            StateType type, StateSide source, StateSide destination, boolean mla, int ppSize) {
        boolean otherTp = source.tpSize() != destination.tpSize();
        if (type == StateType.SWA && !mla && otherTp) {
            throw Refusal.incompatible(
                    "PD state transfer does not support TP-mismatched non-MLA SWA models "
                            + "(prefill TP size %d, decode TP size %d)",
                    source.tpSize(), destination.tpSize());
        }
        if (type == StateType.MINIMAX_INDEX_K && ppSize > 1) {
            throw Refusal.incompatible(
                    "PD state transfer: PP>1 not supported for MiniMax sparse index (prefill PP size %d)", ppSize);
        }
        if (type == StateType.MINIMAX_INDEX_K && otherTp) {
            throw Refusal.incompatible(
                    "PD state transfer: heterogeneous TP not supported for MiniMax sparse index "
                            + "(prefill TP size %d, decode TP size %d)",
                    source.tpSize(), destination.tpSize());
        }
    }

    /** Position- and request-indexed rows must match one to one; paged types tolerate a drift and use the shorter list. */
    private static int commonLength(StateType type, int source, int destination) {
        if (source == 0) {
            throw Refusal.invalid(
                    "No overlapping state indices for state_type=%s: prefill has none, decode named %d",
                    type.wireName(), destination);
        }
        boolean exact = type == StateType.SWA_RING || type == StateType.C128_STATE;
        if (exact && source != destination) {
            throw Refusal.invalid(
                    "%s state index length mismatch: src=%d, dst=%d",
                    type.wireName().toUpperCase(Locale.ROOT), source, destination);
        }
        return Math.min(source, destination);
    }
}
