package io.weft.engine.internal.backend;

import io.weft.api.MemoryKind;
import io.weft.spi.BackendContext;
import io.weft.spi.CompletionSink;
import io.weft.spi.DeviceMemory;
import io.weft.spi.EngineClock;
import io.weft.spi.InboundSink;
import io.weft.spi.Metrics;
import io.weft.spi.OptionValues;
import io.weft.spi.PeerDirectory;
import io.weft.spi.PeerRequests;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** What one backend gets. */
final class OpenContext implements BackendContext {
    private final BackendEnvironment environment;
    private final OptionValues options;
    private final SlotTable slots;
    private final Metrics metrics;
    private final PeerDirectory peers;
    private final ThreadFactory threads;
    private volatile @Nullable PeerRequests requests;

    OpenContext(
            BackendEnvironment environment,
            int index,
            String backend,
            OptionValues options,
            SlotTable slots,
            Metrics metrics) {
        this.environment = environment;
        this.options = options;
        this.slots = slots;
        this.metrics = metrics;
        this.peers = environment.peers().apply(index);
        this.threads = environment.threads().named(backend);
    }

    Optional<PeerRequests> requests() {
        return Optional.ofNullable(requests);
    }

    @Override
    public String engineKey() {
        return environment.engineKey();
    }

    @Override
    public long incarnation() {
        return environment.incarnation();
    }

    @Override
    public String advertisedHost() {
        return environment.advertisedHost();
    }

    @Override
    public OptionValues options() {
        return options;
    }

    @Override
    public CompletionSink completions() {
        return slots;
    }

    @Override
    public InboundSink inbound() {
        return environment.inbound();
    }

    @Override
    public PeerDirectory peers() {
        return peers;
    }

    @Override
    public void serve(PeerRequests server) {
        if (requests != null) {
            throw new IllegalStateException("serve may be called once, and " + requests + " was given before");
        }
        requests = server;
    }

    @Override
    public ThreadFactory threads() {
        return threads;
    }

    @Override
    public EngineClock clock() {
        return environment.clock();
    }

    @Override
    public Metrics metrics() {
        return metrics;
    }

    @Override
    public Optional<DeviceMemory> deviceMemory(MemoryKind kind) {
        return environment.deviceMemory().apply(kind);
    }
}
