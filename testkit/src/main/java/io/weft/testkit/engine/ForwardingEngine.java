package io.weft.testkit.engine;

import io.weft.api.AwaitResult;
import io.weft.api.EngineDescriptor;
import io.weft.api.EngineStats;
import io.weft.api.InboundTransfer;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.Notification;
import io.weft.api.PairTransfer;
import io.weft.api.PeerState;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SelectionReport;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Passes every call on; to be extended by wrappers that change one. */
public class ForwardingEngine implements TransferEngine {
    private final TransferEngine delegate;

    /**
     * Wraps an engine.
     *
     * @param delegate gets the calls
     */
    public ForwardingEngine(TransferEngine delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    @Override
    public EngineDescriptor descriptor() {
        return delegate.descriptor();
    }

    @Override
    public Region register(MemorySegment memory, RegisterOptions options) {
        return delegate.register(memory, options);
    }

    @Override
    public Region register(long address, long length, MemoryLocation location, RegisterOptions options) {
        return delegate.register(address, length, location, options);
    }

    @Override
    public Region allocate(MemoryLocation location, long length, RegisterOptions options) {
        return delegate.allocate(location, length, options);
    }

    @Override
    public void addPeer(EngineDescriptor peer) {
        delegate.addPeer(peer);
    }

    @Override
    public void removePeer(String peerKey) {
        delegate.removePeer(peerKey);
    }

    @Override
    public Optional<PeerState> peerState(String peerKey) {
        return delegate.peerState(peerKey);
    }

    @Override
    public Transfer write(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        return delegate.write(local, localOffset, remote, remoteOffset, length, options);
    }

    @Override
    public Transfer read(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        return delegate.read(local, localOffset, remote, remoteOffset, length, options);
    }

    @Override
    public List<Transfer> batchWrite(List<PairTransfer> batches, TransferOptions options) {
        return delegate.batchWrite(batches, options);
    }

    @Override
    public List<Transfer> batchRead(List<PairTransfer> batches, TransferOptions options) {
        return delegate.batchRead(batches, options);
    }

    @Override
    public Transfer writeMulti(List<SharedSegments> parts, TransferOptions options) {
        return delegate.writeMulti(parts, options);
    }

    @Override
    public Transfer readMulti(List<SharedSegments> parts, TransferOptions options) {
        return delegate.readMulti(parts, options);
    }

    @Override
    public TransferSession session(Region local, MemoryDescriptor remote) {
        return delegate.session(local, remote);
    }

    @Override
    public AwaitResult awaitAll(List<? extends Transfer> transfers, Duration timeout) throws InterruptedException {
        return delegate.awaitAll(transfers, timeout);
    }

    @Override
    public long nextTransferId() {
        return delegate.nextTransferId();
    }

    @Override
    public Optional<InboundTransfer> takeInbound(String peerKey, long transferId) {
        return delegate.takeInbound(peerKey, transferId);
    }

    @Override
    public List<Notification> takeNotifications(int max) {
        return delegate.takeNotifications(max);
    }

    @Override
    public void onNotification(Consumer<? super Notification> listener) {
        delegate.onNotification(listener);
    }

    @Override
    public boolean fence(String peerKey, Duration timeout) {
        return delegate.fence(peerKey, timeout);
    }

    @Override
    public boolean fenceAll(Duration timeout) {
        return delegate.fenceAll(timeout);
    }

    @Override
    public SelectionReport explain(String peerKey, MemoryKind local, MemoryKind remote) {
        return delegate.explain(peerKey, local, remote);
    }

    @Override
    public EngineStats stats() {
        return delegate.stats();
    }

    @Override
    public void close(Duration timeout) {
        delegate.close(timeout);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
