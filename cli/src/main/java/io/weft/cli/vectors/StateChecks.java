package io.weft.cli.vectors;

import io.weft.kv.layout.StateType;
import io.weft.kv.plan.SegmentPlan;
import io.weft.kv.plan.StatePlan;
import io.weft.kv.plan.StatePlanner;
import io.weft.kv.plan.StateSide;
import io.weft.kv.plan.SubBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Vectors of linear-attention state. */
final class StateChecks {
    private StateChecks() {}

    static Object mamba(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        StatePlan plan = StatePlanner.plan(
                StateType.MAMBA,
                side(in, "prefill_tp", "engine_rank", "src"),
                side(in, "decode_tp", "decode_tp_rank", "dst"),
                false,
                1,
                new int[] {in.get("src_index").intValue()},
                new int[] {in.get("dst_index").intValue()});
        List<Map<String, Object>> transfers = new ArrayList<>();
        for (StatePlan.Part part : plan.parts()) {
            SegmentPlan segments = part.segments();
            for (int i = 0; i < segments.size(); i++) {
                transfers.add(Map.of(
                        "src_offset", segments.localOffset(i),
                        "dst_offset", segments.remoteOffset(i),
                        "size", segments.length(i)));
            }
        }
        return Map.of("transfers", transfers);
    }

    static Object convSubBlocks(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        List<SubBlock> blocks = SubBlock.ofGroups(
                Nodes.list(in.get("conv_shard_groups"), JsonNode::intValue),
                in.get("prefill_tp").intValue(),
                in.get("local_tp_rank").intValue(),
                in.get("decode_tp").intValue(),
                in.get("dst_tp_rank").intValue());
        return Map.of(
                "blocks_src_dst_count",
                blocks.stream()
                        .map(b -> List.of(b.source(), b.destination(), b.count()))
                        .toList());
    }

    private static StateSide side(JsonNode in, String tp, String rank, String prefix) {
        int size = in.get(tp).intValue();
        return StateSide.of(
                size,
                in.get(rank).intValue() % size,
                Nodes.longs(in.get(prefix + "_item_lens")),
                Nodes.longs(in.get(prefix + "_dims")));
    }
}
