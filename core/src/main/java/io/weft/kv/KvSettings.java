package io.weft.kv;

import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionCatalogue;
import io.weft.spi.OptionValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The values of {@link KvOptions}, read once. Times are nanoseconds.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param host control address, empty for the engine's
 * @param nic network interface to take the control address from, empty for none
 * @param auxFabric whether aux rows go over the fabric
 * @param shards transfer shards
 * @param shardWindow chunks in flight per shard
 * @param tickNanos how often deadlines are looked at
 * @param bootstrapNanos how long a sender waits for metadata
 * @param inputNanos how long a sender waits for pages
 * @param waitingNanos how long a receiver waits for bytes
 * @param drainNanos how long a Weft peer may take to confirm that it drained
 * @param quarantineNanos how long pages wait for an older peer that does not confirm
 * @param fenceNanos bound of one fence
 * @param graceNanos how long messages to a disconnected peer are kept
 * @param heartbeatNanos how often a prefill instance is asked whether it lives
 * @param heartbeatFailures failed answers until it is lost
 * @param pendingRooms rooms with metadata and without a sender, at most
 * @param peers registered decode ranks, at most
 * @param allCpRanks whether all CP ranks send
 * @param forceDpQuery whether the DP rank is always looked up
 * @since 0.1
 */
public record KvSettings(
        String host,
        String nic,
        boolean auxFabric,
        int shards,
        int shardWindow,
        long tickNanos,
        long bootstrapNanos,
        long inputNanos,
        long waitingNanos,
        long drainNanos,
        long quarantineNanos,
        long fenceNanos,
        long graceNanos,
        long heartbeatNanos,
        int heartbeatFailures,
        int pendingRooms,
        int peers,
        boolean allCpRanks,
        boolean forceDpQuery) {
    /**
     * Reads the values of the group.
     *
     * @param values values of {@link KvOptions#GROUP}
     * @return the settings
     */
    public static KvSettings of(OptionValues values) {
        return new KvSettings(
                values.string(KvOptions.HOST),
                values.string(KvOptions.NIC),
                values.bool(KvOptions.AUX_FABRIC),
                (int) values.integer(KvOptions.SHARDS),
                (int) values.integer(KvOptions.SHARD_WINDOW),
                values.nanos(KvOptions.TICK),
                values.nanos(KvOptions.BOOTSTRAP_TIMEOUT),
                values.nanos(KvOptions.INPUT_TIMEOUT),
                values.nanos(KvOptions.WAITING_TIMEOUT),
                values.nanos(KvOptions.DRAIN_TIMEOUT),
                values.nanos(KvOptions.QUARANTINE),
                values.nanos(KvOptions.FENCE_TIMEOUT),
                values.nanos(KvOptions.CONTROL_GRACE),
                values.nanos(KvOptions.HEARTBEAT),
                (int) values.integer(KvOptions.HEARTBEAT_FAILURES),
                (int) values.integer(KvOptions.PENDING_ROOMS),
                (int) values.integer(KvOptions.PEERS),
                values.bool(KvOptions.ALL_CP_RANKS),
                values.bool(KvOptions.FORCE_DP_QUERY));
    }

    /**
     * The defaults, with some values set by their whole keys.
     *
     * @param values such as {@code weft.kv.shards} to {@code 4}
     * @return the settings
     * @throws io.weft.config.ConfigurationException for an unknown key or a value out of range
     */
    public static KvSettings with(Map<String, String> values) {
        ConfigurationSources sources = ConfigurationSources.none(Path.of("")).withApi(values);
        return of(Configuration.resolve(OptionCatalogue.of(List.of(KvOptions.GROUP)), sources)
                .orThrow()
                .values(KvOptions.GROUP));
    }
}
