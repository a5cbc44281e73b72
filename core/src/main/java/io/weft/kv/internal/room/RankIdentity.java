package io.weft.kv.internal.room;

import io.weft.api.EngineDescriptor;
import io.weft.api.TransferEngine;
import io.weft.engine.NodeMarker;
import io.weft.kv.KvSettings;
import io.weft.kv.RankConfig;
import io.weft.kv.internal.endpoint.LocalAddress;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Who a rank is.
 *
 * @param name what its threads and logs are called after
 * @param host its control address
 * @param epoch its incarnation, never 0
 */
public record RankIdentity(String name, String host, long epoch) {
    private static final String AUTOMATIC = "auto";

    /**
     * Derives the identity: address from options, configuration or engine, in this order; incarnation from the engine.
     *
     * @param mode {@code prefill} or {@code decode}
     * @param engine the rank's engine
     * @param config the rank
     * @param settings the options
     * @return the identity
     * @throws io.weft.api.WeftException if no address is found
     */
    public static RankIdentity of(String mode, TransferEngine engine, RankConfig config, KvSettings settings) {
        EngineDescriptor descriptor = engine.descriptor();
        String name = "weft-kv-%s-dp%d-tp%d-pp%d-cp%d"
                .formatted(
                        mode,
                        config.dpRank(),
                        config.layout().tpRank(),
                        config.layout().ppRank(),
                        config.layout().cpRank());
        long epoch = NodeMarker.parse(descriptor.nodeId())
                .map(NodeMarker::incarnation)
                .orElseGet(() -> ThreadLocalRandom.current().nextLong());
        return new RankIdentity(name, host(descriptor, config, settings), epoch == 0 ? 1 : epoch);
    }

    private static String host(EngineDescriptor descriptor, RankConfig config, KvSettings settings) {
        if (!settings.nic().isEmpty() || settings.host().equals(AUTOMATIC)) {
            return LocalAddress.find("", settings.nic());
        }
        if (!settings.host().isEmpty()) {
            return settings.host();
        }
        return config.host().isEmpty() ? descriptor.host() : config.host();
    }
}
