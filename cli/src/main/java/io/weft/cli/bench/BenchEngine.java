package io.weft.cli.bench;

import io.weft.api.MemoryLocation;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.engine.Weft;
import io.weft.spi.DeviceMemory;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How both processes open their engine.
 *
 * @param discovery where backends are
 * @param sources options
 * @param backend the one backend to measure
 * @param location where the memory lies
 * @param devices opens device memory; called for device memory only
 */
public record BenchEngine(
        Discovery discovery,
        ConfigurationSources sources,
        String backend,
        MemoryLocation location,
        Supplier<DeviceMemory> devices) {
    TransferEngine open(String name, Map<String, String> options) {
        return Weft.builder()
                .discovery(discovery)
                .configuration(sources.plusApi(options))
                .name(name)
                .option("weft.backends.allow", backend)
                .open();
    }
}
