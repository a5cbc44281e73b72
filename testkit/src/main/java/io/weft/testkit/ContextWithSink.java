package io.weft.testkit;

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

/**
 * A context whose completions take a detour.
 *
 * @param delegate gets every other call
 * @param completions the detour
 */
public record ContextWithSink(BackendContext delegate, CompletionSink completions) implements BackendContext {
    @Override
    public String engineKey() {
        return delegate.engineKey();
    }

    @Override
    public long incarnation() {
        return delegate.incarnation();
    }

    @Override
    public String advertisedHost() {
        return delegate.advertisedHost();
    }

    @Override
    public OptionValues options() {
        return delegate.options();
    }

    @Override
    public InboundSink inbound() {
        return delegate.inbound();
    }

    @Override
    public PeerDirectory peers() {
        return delegate.peers();
    }

    @Override
    public void serve(PeerRequests requests) {
        delegate.serve(requests);
    }

    @Override
    public ThreadFactory threads() {
        return delegate.threads();
    }

    @Override
    public EngineClock clock() {
        return delegate.clock();
    }

    @Override
    public Metrics metrics() {
        return delegate.metrics();
    }

    @Override
    public Optional<DeviceMemory> deviceMemory(MemoryKind kind) {
        return delegate.deviceMemory(kind);
    }
}
