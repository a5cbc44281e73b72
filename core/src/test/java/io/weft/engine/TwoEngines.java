package io.weft.engine;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.spi.BackendProvider;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Two engines that know each other, over one asserting backend. */
final class TwoEngines implements AutoCloseable {
    final AssertingProvider provider;
    final TransferEngine a;
    final TransferEngine b;

    TwoEngines(Map<String, String> options) {
        this(AssertingProvider.of(new MemProvider()), options);
    }

    TwoEngines(AssertingProvider provider, Map<String, String> options) {
        this.provider = provider;
        a = open("a", provider, options);
        b = open("b", provider, options);
        a.addPeer(b.descriptor());
        b.addPeer(a.descriptor());
    }

    static TwoEngines open() {
        return new TwoEngines(Map.of());
    }

    static TransferEngine open(String name, BackendProvider provider, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")).withApi(all))
                .name(name)
                .provider(provider)
                .open();
    }

    static Region allocate(TransferEngine engine, long bytes) {
        return engine.allocate(MemoryLocation.HOST, bytes, RegisterOptions.DEFAULT);
    }

    static Region random(TransferEngine engine, int bytes, Random random) {
        Region region = allocate(engine, bytes);
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        MemorySegment.copy(content, 0, memory(region), ValueLayout.JAVA_BYTE, 0, bytes);
        return region;
    }

    static MemorySegment memory(Region region) {
        return region.segment().orElseThrow();
    }

    static byte[] bytes(Region region) {
        return memory(region).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        a.close(Duration.ofSeconds(2));
        b.close(Duration.ofSeconds(2));
        provider.assertClean();
    }
}
