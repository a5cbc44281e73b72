package io.weft.cli.vectors;

import java.util.Map;

/** The kinds of vectors that core's codecs and planners answer. */
final class Checks {
    static final Map<String, Check> BY_KIND = Map.ofEntries(
            Map.entry("pack_int_lists", WireChecks::packIntLists),
            Map.entry("unpack_int_lists", WireChecks::unpackIntLists),
            Map.entry("zmq_transfer_message", WireChecks::metadata),
            Map.entry("zmq_status_message", WireChecks::status),
            Map.entry("zmq_aux_data", WireChecks::aux),
            Map.entry("zmq_abort", WireChecks::abort),
            Map.entry("msgpack_desc_list", WireChecks::descriptorList),
            Map.entry("msgpack_desc_lists", WireChecks::descriptorLists),
            Map.entry("network_address", WireChecks::address),
            Map.entry("network_address_parse", WireChecks::parsedAddress),
            Map.entry("group_concurrent_contiguous", PlanChecks::groups),
            Map.entry("group_length_mismatch", PlanChecks::groups),
            Map.entry("grouped_plan_materialize", PlanChecks::materialized),
            Map.entry("mha_pp_slice", PlanChecks::mha),
            Map.entry("mla_pp_slice", PlanChecks::mla),
            Map.entry("tp_slice_plan", HeadChecks::slicePlan),
            Map.entry("tp_slice_plan_edge", HeadChecks::edge),
            Map.entry("mamba_state_plan", StateChecks::mamba),
            Map.entry("mamba_conv_subblocks_later_upstream", StateChecks::convSubBlocks),
            Map.entry("rank_mapping", RankChecks::mapping),
            Map.entry("prefill_unique_rank", RankChecks::uniqueRank),
            Map.entry("shard_of_room", RankChecks::shards),
            Map.entry("kv_to_page_indices", RankChecks::pageIds),
            Map.entry("cp_filter", RankChecks::cpShare),
            Map.entry("prefill_chunking", RankChecks::chunks),
            Map.entry("EngineDesc", DescriptorChecks::engine),
            Map.entry("MemoryDesc", DescriptorChecks::memory));

    private Checks() {}
}
