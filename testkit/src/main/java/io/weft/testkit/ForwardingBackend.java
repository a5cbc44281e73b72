package io.weft.testkit;

import io.weft.api.MemoryDescriptor;
import io.weft.spi.Backend;
import io.weft.spi.Capabilities;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.spi.ProgressSource;
import io.weft.spi.RemoteMemory;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Passes every call on; to be extended by wrappers that change one. */
public class ForwardingBackend implements Backend {
    private final Backend delegate;

    /**
     * Wraps a backend.
     *
     * @param delegate gets the calls
     */
    public ForwardingBackend(Backend delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    @Override
    public Capabilities capabilities() {
        return delegate.capabilities();
    }

    @Override
    public Limits limits() {
        return delegate.limits();
    }

    @Override
    public byte[] localAddress() {
        return delegate.localAddress();
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        return delegate.register(spec);
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        return delegate.deregister(memory, deadlineNanos);
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        return delegate.exportKey(peer, memory);
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
        return delegate.importKey(peer, descriptor, key);
    }

    @Override
    public void releaseKey(RemoteMemory memory) {
        delegate.releaseKey(memory);
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        return delegate.connect(peer, events, deadlineNanos);
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        return delegate.fencePeer(peer, deadlineNanos);
    }

    @Override
    public List<ProgressSource> progressSources() {
        return delegate.progressSources();
    }

    @Override
    public String describeNative(long nativeCode) {
        return delegate.describeNative(nativeCode);
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
        return delegate.extension(type);
    }

    @Override
    public void close(long deadlineNanos) {
        delegate.close(deadlineNanos);
    }
}
