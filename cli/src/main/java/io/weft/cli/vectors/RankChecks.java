package io.weft.cli.vectors;

import io.weft.kv.plan.ChunkCursor;
import io.weft.kv.plan.CpShare;
import io.weft.kv.plan.Range;
import io.weft.kv.plan.RankMapping;
import io.weft.kv.plan.RankMapping.DecodeShape;
import io.weft.kv.plan.RankMapping.PrefillShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Vectors of ranks, shares and chunks. */
final class RankChecks {
    private RankChecks() {}

    static Object mapping(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        RankMapping m = RankMapping.of(
                new DecodeShape(
                        in.get("dtp").intValue(),
                        in.get("eng").intValue(),
                        Nodes.integer(in, "dcp", 1),
                        Nodes.integer(in, "dpp", 1),
                        Nodes.integer(in, "dpprank", 0)),
                new PrefillShape(
                        in.get("ptp").intValue(),
                        Nodes.integer(in, "pcp", 1),
                        Nodes.integer(in, "ppp", 1),
                        Nodes.flag(in, "allcp")),
                Nodes.flag(in, "mla"));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("target_tp_rank", m.targetTpRank());
        result.put("target_tp_ranks", m.targetTpRanks());
        result.put(
                "dummy_tp_ranks", m.targetTpRanks().stream().filter(m::isDummy).toList());
        result.put("target_cp_ranks", m.targetCpRanks());
        result.put("target_pp_ranks", m.targetPpRanks());
        result.put("required_dst_info_num", m.requiredPeers());
        result.put("required_prefill_response_num", m.requiredResponses());
        result.put(
                "endpoints_contacted",
                m.targetTpRanks().size()
                        * m.targetCpRanks().size()
                        * m.targetPpRanks().size());
        return result;
    }

    static Object uniqueRank(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        return Map.of(
                "rank",
                RankMapping.uniqueRank(
                        in.get("attn_tp_rank").intValue(),
                        in.get("pp_rank").intValue(),
                        in.get("attn_cp_rank").intValue(),
                        in.get("pp_size").intValue(),
                        in.get("attn_cp_size").intValue()));
    }

    static Object shards(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        int count = in.get("num_shards").intValue();
        return Map.of("shards", Nodes.list(in.get("rooms"), room -> RankMapping.shard(Nodes.unsigned(room), count)));
    }

    static Object pageIds(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        int[] pages = ChunkCursor.pageIds(
                Nodes.ints(in.get("kv_indices")), in.get("page_size").intValue());
        return Map.of("pages", pages, "page_count", pages.length);
    }

    static Object cpShare(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        CpShare share = CpShare.of(
                in.get("total_pages").intValue(),
                in.get("cp_size").intValue(),
                in.get("cp_rank").intValue());
        Range chunk = new Range(
                in.get("chunk").get(0).intValue(), in.get("chunk").get(1).intValue());
        Range part = share.within(chunk);
        return Map.of(
                "rank_bounds", pair(share.bounds()),
                "positions", List.of(part.from() - chunk.from(), part.to() - chunk.from()),
                "index_slice", pair(part));
    }

    static Object chunks(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        ChunkCursor cursor = new ChunkCursor(
                in.get("total_tokens").intValue(),
                in.get("decode_prefix_len").intValue(),
                in.get("page_size").intValue());
        return Map.of(
                "total_pages",
                cursor.totalPages(),
                "chunks",
                Nodes.list(in.get("chunk_end_tokens"), end -> chunk(cursor.advance(end.intValue()))));
    }

    private static Map<String, Object> chunk(Optional<ChunkCursor.Chunk> chunk) {
        return chunk.<Map<String, Object>>map(c -> Map.of(
                        "token_range", pair(c.tokens()),
                        "pages", c.pages().size(),
                        "index_slice", pair(c.pages()),
                        "is_last_chunk", c.last()))
                .orElse(Map.of("skipped", true));
    }

    private static List<Integer> pair(Range range) {
        return List.of(range.from(), range.to());
    }
}
