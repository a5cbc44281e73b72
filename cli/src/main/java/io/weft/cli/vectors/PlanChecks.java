package io.weft.cli.vectors;

import io.weft.kv.plan.PageRuns;
import io.weft.kv.plan.PipelineSlice;
import io.weft.kv.plan.Range;
import io.weft.kv.plan.SegmentPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Vectors of page grouping and pipeline slices. */
final class PlanChecks {
    private PlanChecks() {}

    static Object groups(JsonNode vector) {
        PageRuns runs = grouped(vector);
        List<List<Integer>> sources = new ArrayList<>();
        List<List<Integer>> destinations = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            sources.add(run(runs.source(i), runs.count(i)));
            destinations.add(run(runs.destination(i), runs.count(i)));
        }
        return Map.of("src_groups", sources, "dst_groups", destinations);
    }

    static Object materialized(JsonNode vector) {
        SegmentPlan plan = new SegmentPlan();
        grouped(vector).materialize(vector.get("inputs").get("item_len").longValue(), plan);
        return segments(plan);
    }

    static Object mha(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        PipelineSlice slice = PipelineSlice.mha(
                in.get("num_src_descs").intValue(),
                in.get("prefill_start_layer").intValue(),
                in.get("num_dst_descs").intValue());
        return Map.of(
                "layers", slice.layers(),
                "src_k", positions(slice.sourceK()),
                "src_v", positions(slice.sourceV()),
                "dst_k", positions(slice.destinationK()),
                "dst_v", positions(slice.destinationV()));
    }

    static Object mla(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        PipelineSlice slice = PipelineSlice.mla(
                in.get("num_src_descs").intValue(),
                in.get("prefill_start_layer").intValue(),
                in.get("num_dst_descs").intValue());
        return Map.of(
                "layers", slice.layers(), "src", positions(slice.sourceK()), "dst", positions(slice.destinationK()));
    }

    static Map<String, Object> segments(SegmentPlan plan) {
        Map<String, Object> lists = new LinkedHashMap<>();
        lists.put(
                "local_offsets",
                IntStream.range(0, plan.size())
                        .mapToLong(plan::localOffset)
                        .boxed()
                        .toList());
        lists.put(
                "remote_offsets",
                IntStream.range(0, plan.size())
                        .mapToLong(plan::remoteOffset)
                        .boxed()
                        .toList());
        lists.put(
                "sizes",
                IntStream.range(0, plan.size()).mapToLong(plan::length).boxed().toList());
        return lists;
    }

    static List<Integer> positions(Range range) {
        return IntStream.range(range.from(), range.to()).boxed().toList();
    }

    /** Counted from 0, because a run may end at the largest page id. */
    private static List<Integer> run(int first, int count) {
        return IntStream.range(0, count).map(i -> first + i).boxed().toList();
    }

    private static PageRuns grouped(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        return new PageRuns().group(Nodes.ints(in.get("src")), Nodes.ints(in.get("dst")));
    }
}
