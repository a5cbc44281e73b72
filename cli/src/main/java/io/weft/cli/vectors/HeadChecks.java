package io.weft.cli.vectors;

import io.weft.api.WeftException;
import io.weft.kv.plan.HeadShare;
import io.weft.kv.plan.HeadSlice;
import io.weft.kv.plan.RankMapping;
import io.weft.kv.plan.RankMapping.DecodeShape;
import io.weft.kv.plan.RankMapping.PrefillShape;
import io.weft.kv.plan.SegmentPlan;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Vectors of head slices between different TP sizes. */
final class HeadChecks {
    private static final int SEARCH_LIMIT = 16;
    private static final int HEAD_BYTES = 4;

    private HeadChecks() {}

    static Object slicePlan(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        HeadSlice slice = slice(in);
        SegmentPlan plan = planned(slice, in);
        List<Integer> heads = IntStream.range(0, slice.heads())
                .map(i -> slice.firstHead() + i)
                .boxed()
                .toList();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("config", config(slice));
        result.put("heads_sent", heads);
        result.put("heads_expected_at_destination", heads);
        result.put("head_mapping_correct", true);
        result.put("plan", PlanChecks.segments(plan));
        result.put("plan_summary", summary(plan));
        return result;
    }

    static Map<String, @Nullable Object> edge(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        if (in.has("search")) {
            return Collections.singletonMap("first_violation", firstCapacityViolation());
        }
        HeadSlice slice = in.has("prefill_tp") ? slice(in) : HeadSlice.of(1, 1, 1, 0, 1, 0, 1, 1);
        return new LinkedHashMap<>(PlanChecks.segments(planned(slice, in)));
    }

    /**
     * What a vector expects once the original's wrong head is put right: the plan of the heads that belong at the
     * destination, which lie in the source token as many heads further as the two head lists differ.
     */
    static JsonNode corrected(JsonNode expected) {
        if (!expected.has("heads_sent")
                || expected.get("heads_sent").equals(expected.get("heads_expected_at_destination"))) {
            return expected;
        }
        JsonNode right = expected.get("heads_expected_at_destination");
        int shift = right.get(0).intValue() - expected.get("heads_sent").get(0).intValue();
        ObjectNode copy = (ObjectNode) expected.deepCopy();
        copy.set("heads_sent", right);
        copy.put("head_mapping_correct", true);
        ObjectNode config = (ObjectNode) copy.get("config");
        long bytes = shift * config.get("bytes_per_head").longValue();
        config.put("src_head_start", config.get("src_head_start").intValue() + shift);
        config.put("src_head_slice_offset", config.get("src_head_slice_offset").longValue() + bytes);
        if (copy.has("plan")) {
            move((ArrayNode) copy.get("plan").get("local_offsets"), bytes);
        }
        if (copy.has("plan_summary")) {
            ObjectNode summary = (ObjectNode) copy.get("plan_summary");
            move((ArrayNode) summary.get("first_local"), bytes);
            summary.put("last_local", summary.get("last_local").longValue() + bytes);
        }
        return Nodes.tree(copy);
    }

    private static void move(ArrayNode offsets, long bytes) {
        for (int i = 0; i < offsets.size(); i++) {
            offsets.set(i, offsets.get(i).longValue() + bytes);
        }
    }

    private static HeadSlice slice(JsonNode in) {
        return HeadSlice.of(
                in.get("total_kv_heads").intValue(),
                in.get("page_size").intValue(),
                in.get("prefill_tp").intValue(),
                in.get("engine_rank").intValue(),
                in.get("decode_tp").intValue(),
                in.get("decode_tp_rank").intValue(),
                in.get("src_item_len").longValue(),
                in.get("dst_item_len").longValue());
    }

    private static SegmentPlan planned(HeadSlice slice, JsonNode in) {
        SegmentPlan plan = new SegmentPlan();
        slice.plan(Nodes.ints(in.get("kv_indices")), Nodes.ints(in.get("dst_indices")), plan);
        return plan;
    }

    private static Map<String, Object> config(HeadSlice slice) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("page_size", slice.pageSize());
        config.put("src_item_len", slice.sourceItemLen());
        config.put("dst_item_len", slice.destinationItemLen());
        config.put("bytes_per_token_src", slice.sourceItemLen() / slice.pageSize());
        config.put("bytes_per_token_dst", slice.destinationItemLen() / slice.pageSize());
        config.put("src_heads_per_rank", slice.source().count());
        config.put("dst_heads_per_rank", slice.destination().count());
        config.put("bytes_per_head", slice.headBytes());
        config.put("src_replication", slice.source().replicas());
        config.put("src_head_start", slice.sourceStart());
        config.put("dst_head_start", slice.destinationStart());
        config.put("num_heads_to_send", slice.heads());
        config.put("src_head_slice_offset", slice.sourceStart() * slice.headBytes());
        config.put("dst_head_slice_offset", slice.destinationStart() * slice.headBytes());
        config.put("heads_bytes_per_token_to_send", slice.bytesPerToken());
        return config;
    }

    private static Map<String, Object> summary(SegmentPlan plan) {
        if (plan.size() < 2) {
            return Map.of("count", plan.size());
        }
        int last = plan.size() - 1;
        return Map.of(
                "count", plan.size(),
                "first_local", List.of(plan.localOffset(0), plan.localOffset(1)),
                "last_local", plan.localOffset(last),
                "first_remote", List.of(plan.remoteOffset(0), plan.remoteOffset(1)),
                "last_remote", plan.remoteOffset(last),
                "size", plan.length(0));
    }

    /** Looks for a legal pair of ranks whose slice would not fit into a destination token. */
    private static @Nullable String firstCapacityViolation() {
        for (int p = 1; p <= SEARCH_LIMIT; p++) {
            for (int d = 1; d <= SEARCH_LIMIT; d++) {
                for (int h = 1; h <= SEARCH_LIMIT; h++) {
                    for (int rank = 0; rank < d; rank++) {
                        if (overflows(p, d, h, rank)) {
                            return "P%d D%d H%d decode rank %d".formatted(p, d, h, rank);
                        }
                    }
                }
            }
        }
        return null;
    }

    private static boolean overflows(int p, int d, int h, int rank) {
        try {
            long source = (long) HeadShare.of("prefill", h, p, 0).count() * HEAD_BYTES;
            long destination = (long) HeadShare.of("decode", h, d, 0).count() * HEAD_BYTES;
            RankMapping mapping =
                    RankMapping.of(new DecodeShape(d, rank, 1, 1, 0), new PrefillShape(p, 1, 1, false), false);
            return mapping.targetTpRanks().stream()
                    .map(prefill -> HeadSlice.of(h, 1, p, prefill, d, rank, source, destination))
                    .anyMatch(s -> (s.destinationStart() + s.heads()) * s.headBytes() > destination);
        } catch (WeftException refused) {
            // Sizes that do not divide never get as far as a slice.
            return false;
        }
    }
}
