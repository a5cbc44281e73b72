package io.weft.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all ranks of one prefill instance have in common. Immutable; safe from any thread.
 *
 * @param tpSize attention TP size
 * @param cpSize attention CP size
 * @param dpSize DP size: attention's with one replica, else the number of replicas
 * @param ppSize pipeline stages
 * @param pageSize tokens per page, null when not told
 * @param dtype KV cache element type, null when not told
 * @param followsRoom whether a room's DP rank follows from the room
 * @param layerSplit whether each CP rank holds a part of the layers
 * @param httpPort port of the inference server, null when not told
 * @since 0.1
 */
public record Topology(
        int tpSize,
        int cpSize,
        int dpSize,
        int ppSize,
        @Nullable Integer pageSize,
        @Nullable String dtype,
        boolean followsRoom,
        boolean layerSplit,
        @Nullable Integer httpPort) {
    /**
     * How many ranks there are when all are registered.
     *
     * @return the product of the sizes
     */
    public long ranks() {
        return (long) tpSize * cpSize * dpSize * ppSize;
    }

    /** Whether ranks of both can be of one instance; the port says nothing of the shape. */
    boolean sameShape(Topology other) {
        return equals(other.withPort(httpPort));
    }

    private Topology withPort(@Nullable Integer port) {
        return new Topology(tpSize, cpSize, dpSize, ppSize, pageSize, dtype, followsRoom, layerSplit, port);
    }

    /** Exactly the keys that older decode ranks know: one more would break them. */
    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("attn_tp_size", tpSize);
        json.put("attn_cp_size", cpSize);
        json.put("dp_size", dpSize);
        json.put("pp_size", ppSize);
        json.put("page_size", pageSize);
        json.put("kv_cache_dtype", dtype);
        json.put("follow_bootstrap_room", followsRoom);
        json.put("enable_dsa_cache_layer_split", layerSplit);
        json.put("prefill_http_port", httpPort);
        for (String filledByDecode : new String[] {
            "target_tp_rank",
            "target_tp_ranks",
            "target_cp_ranks",
            "target_pp_ranks",
            "required_dst_info_num",
            "required_prefill_response_num"
        }) {
            json.put(filledByDecode, null);
        }
        return json;
    }
}
