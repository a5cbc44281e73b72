package io.weft.kv;

import io.weft.config.OptionGroup;
import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.util.List;
import java.util.function.BiConsumer;

/** The KV layer's options, keys relative to {@code weft.kv.}. */
public final class KvOptions {
    /** Control address of a rank. */
    public static final String HOST = "host";
    /** Network interface to take the address from. */
    public static final String NIC = "nic";
    /** Whether aux rows go over the fabric. */
    public static final String AUX_FABRIC = "aux.fabric";
    /** Transfer shards. */
    public static final String SHARDS = "shards";
    /** Chunks in flight per shard. */
    public static final String SHARD_WINDOW = "shard.window";
    /** How often deadlines are looked at. */
    public static final String TICK = "tick";
    /** How long a sender waits for metadata. */
    public static final String BOOTSTRAP_TIMEOUT = "bootstrap.timeout";
    /** How long a sender waits for pages. */
    public static final String INPUT_TIMEOUT = "input.timeout";
    /** How long a receiver waits for bytes. */
    public static final String WAITING_TIMEOUT = "waiting.timeout";
    /** How long a Weft peer may take to confirm that it drained. */
    public static final String DRAIN_TIMEOUT = "drain.timeout";
    /** How long pages wait for an older peer that does not confirm. */
    public static final String QUARANTINE = "quarantine";
    /** Bound of one fence. */
    public static final String FENCE_TIMEOUT = "fence.timeout";
    /** How long messages to a disconnected peer are kept. */
    public static final String CONTROL_GRACE = "control.grace";
    /** How often a prefill instance is asked whether it lives. */
    public static final String HEARTBEAT = "heartbeat.interval";
    /** Failed answers until it is lost. */
    public static final String HEARTBEAT_FAILURES = "heartbeat.failures";
    /** Rooms with metadata and without a sender. */
    public static final String PENDING_ROOMS = "pending.rooms";
    /** Registered decode ranks. */
    public static final String PEERS = "peers.limit";
    /** Whether all CP ranks send. */
    public static final String ALL_CP_RANKS = "all-cp-ranks";
    /** Whether the DP rank is always looked up. */
    public static final String FORCE_DP_QUERY = "force-dp-query";

    private static final long MS = 1_000_000L;
    private static final long HOUR = 3_600_000L * MS;

    /** The options as a group of the catalogue. */
    public static final OptionGroup GROUP = new OptionGroup(
            "kv",
            "weft.kv.",
            "the KV layer: ranks, rooms, deadlines and leases",
            List.of(
                    text(
                                    HOST,
                                    "Address under which other ranks reach this one's control endpoint. Empty means the engine's, auto"
                                            + " looks for one that has a route outside.")
                            .withAliases("HOST_IP"),
                    text(NIC, "Network interface whose address is the control address.")
                            .withAliases("SGLANG_LOCAL_IP_NIC"),
                    flag(AUX_FABRIC, "Write aux rows over the fabric instead of sending them as messages.")
                            .withAliases("SGLANG_MORI_SEND_AUX_RDMA"),
                    OptionSpec.integer(
                                    SHARDS,
                                    8,
                                    1,
                                    256,
                                    "Threads of a prefill rank that plan and submit; a room is always on the same.")
                            .withAliases("SGLANG_MORI_TRANSFER_SHARDS"),
                    OptionSpec.integer(
                            SHARD_WINDOW,
                            256,
                            1,
                            1 << 20,
                            "Chunks of one shard that are with the engine and not complete; further ones wait."),
                    duration(TICK, "100ms", MS, 10_000 * MS, "How often deadlines are looked at.")
                            .withAliases("SGLANG_MORI_WAIT_POLL_MS"),
                    duration(
                                    BOOTSTRAP_TIMEOUT,
                                    "300s",
                                    MS,
                                    24 * HOUR,
                                    "How long a sender waits for metadata, metadata for a sender, and a receiver for addresses.")
                            .withAliases("SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT"),
                    duration(
                            INPUT_TIMEOUT,
                            "300s",
                            MS,
                            24 * HOUR,
                            "How long a sender waits for its next chunk before the room fails."),
                    duration(WAITING_TIMEOUT, "300s", MS, 24 * HOUR, "How long a receiver waits for its bytes.")
                            .withAliases("SGLANG_DISAGGREGATION_WAITING_TIMEOUT"),
                    duration(
                            DRAIN_TIMEOUT,
                            "5s",
                            MS,
                            HOUR,
                            "How long a Weft prefill rank may take to confirm that a failed room's writes are drained;"
                                    + " then it is fenced."),
                    duration(
                            QUARANTINE,
                            "60s",
                            MS,
                            24 * HOUR,
                            "How long pages of a failed room wait for the terminal status of an older prefill rank; then"
                                    + " it is fenced."),
                    duration(FENCE_TIMEOUT, "5s", MS, HOUR, "How long one fence may take; one that fails is repeated."),
                    duration(
                            CONTROL_GRACE,
                            "5s",
                            MS,
                            HOUR,
                            "How long a peer may be disconnected before messages to it are given up and its rooms fail."),
                    duration(HEARTBEAT, "5s", MS, HOUR, "How often decode asks a prefill instance whether it lives.")
                            .withAliases("SGLANG_DISAGGREGATION_HEARTBEAT_INTERVAL"),
                    OptionSpec.integer(
                                    HEARTBEAT_FAILURES,
                                    2,
                                    1,
                                    1_000,
                                    "Answers missing in a row until a prefill instance is lost and its rooms fail.")
                            .withAliases("SGLANG_DISAGGREGATION_HEARTBEAT_MAX_FAILURE"),
                    OptionSpec.integer(
                            PENDING_ROOMS,
                            65_536,
                            1,
                            1 << 24,
                            "Most rooms that decode ranks announced and no sender was made for; further ones are refused."),
                    OptionSpec.integer(
                            PEERS,
                            4_096,
                            1,
                            1 << 20,
                            "Most decode ranks a prefill rank knows; the one longest unused is forgotten."),
                    flag(ALL_CP_RANKS, "Let every context-parallel rank of prefill send its share of the pages.")
                            .withAliases("SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER"),
                    flag(FORCE_DP_QUERY, "Always ask the registry for a room's DP rank, also where a rule gives it.")
                            .withAliases("SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK")),
            KvOptions::check);

    private KvOptions() {}

    private static void check(OptionValues values, BiConsumer<String, String> refuse) {
        if (!values.string(HOST).isEmpty() && !values.string(NIC).isEmpty()) {
            refuse.accept(NIC, "is set beside weft.kv." + HOST + "; set one of them");
        }
    }

    private static OptionSpec text(String key, String text) {
        return OptionSpec.of(key, Type.STRING, "", text);
    }

    private static OptionSpec flag(String key, String text) {
        return OptionSpec.of(key, Type.BOOLEAN, "false", text);
    }

    private static OptionSpec duration(String key, String defaultValue, long min, long max, String text) {
        return OptionSpec.of(key, Type.DURATION, defaultValue, text).withRange(min, max);
    }
}
