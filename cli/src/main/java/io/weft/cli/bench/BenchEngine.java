package io.weft.cli.bench;

import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.engine.Weft;
import java.util.Map;

/**
 * How both processes open their engine.
 *
 * @param discovery where backends are
 * @param sources options
 * @param backend the one backend to measure
 */
public record BenchEngine(Discovery discovery, ConfigurationSources sources, String backend) {
    TransferEngine open(String name, Map<String, String> options) {
        return Weft.builder()
                .discovery(discovery)
                .configuration(sources.plusApi(options))
                .name(name)
                .option("weft.backends.allow", backend)
                .open();
    }
}
