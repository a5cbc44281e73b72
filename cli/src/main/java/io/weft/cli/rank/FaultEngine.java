package io.weft.cli.rank;

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
import io.weft.api.ReadyEvent;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.SelectionReport;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An engine whose writes a test can delay, fail or make incomplete; everything else is the real engine's. */
final class FaultEngine implements TransferEngine {
    /** How the next write fails. */
    record Failure(String code, String message) {}

    private final TransferEngine engine;
    private final DroppedPages dropped;
    private final AtomicReference<@Nullable Failure> next = new AtomicReference<>();
    private volatile long delayNanos;

    FaultEngine(TransferEngine engine, DroppedPages dropped) {
        this.engine = engine;
        this.dropped = dropped;
    }

    void delayWrites(long nanos) {
        delayNanos = nanos;
    }

    void failNext(Failure failure) {
        next.set(failure);
    }

    /** Delays by a gate on the source, as a slow device would; the deadline goes on running. */
    private TransferOptions delayed(TransferOptions options) {
        long delay = delayNanos;
        if (delay == 0) {
            return options;
        }
        long ready = System.nanoTime() + delay;
        ReadyEvent before = options.readyWhen();
        return options.withReadyWhen(() -> System.nanoTime() - ready >= 0 && (before == null || before.isReady()));
    }

    private @Nullable Transfer failed(TransferOptions options) {
        Failure failure = next.getAndSet(null);
        return failure == null
                ? null
                : new FailedTransfer(options.hasTransferId() ? options.transferId() : engine.nextTransferId(), failure);
    }

    @Override
    public Transfer write(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        Transfer failed = failed(options);
        return failed != null
                ? failed
                : engine.write(local, localOffset, remote, remoteOffset, length, delayed(options));
    }

    @Override
    public List<Transfer> batchWrite(List<PairTransfer> batches, TransferOptions options) {
        Transfer failed = failed(options);
        if (failed != null) {
            return batches.stream().map(_ -> failed).toList();
        }
        List<PairTransfer> kept = new ArrayList<>();
        for (PairTransfer batch : batches) {
            SegmentTable table = dropped.without(batch.pair().local(), batch.segments());
            kept.add(new PairTransfer(batch.pair(), table));
        }
        return engine.batchWrite(kept, delayed(options));
    }

    @Override
    public Transfer writeMulti(List<SharedSegments> parts, TransferOptions options) {
        Transfer failed = failed(options);
        if (failed != null) {
            return failed;
        }
        if (dropped.isEmpty()) {
            return engine.writeMulti(parts, delayed(options));
        }
        List<SharedSegments> kept = new ArrayList<>();
        for (SharedSegments part : parts) {
            SegmentTable table = dropped.without(part.pairs().getFirst().local(), part.segments());
            kept.add(new SharedSegments(part.pairs(), table));
        }
        return engine.writeMulti(kept, delayed(options));
    }

    @Override
    public EngineDescriptor descriptor() {
        return engine.descriptor();
    }

    @Override
    public Region register(MemorySegment memory, RegisterOptions options) {
        return engine.register(memory, options);
    }

    @Override
    public Region register(long address, long length, MemoryLocation location, RegisterOptions options) {
        return engine.register(address, length, location, options);
    }

    @Override
    public Region allocate(MemoryLocation location, long length, RegisterOptions options) {
        return engine.allocate(location, length, options);
    }

    @Override
    public void addPeer(EngineDescriptor peer) {
        engine.addPeer(peer);
    }

    @Override
    public void removePeer(String peerKey) {
        engine.removePeer(peerKey);
    }

    @Override
    public Optional<PeerState> peerState(String peerKey) {
        return engine.peerState(peerKey);
    }

    @Override
    public Transfer read(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        return engine.read(local, localOffset, remote, remoteOffset, length, options);
    }

    @Override
    public List<Transfer> batchRead(List<PairTransfer> batches, TransferOptions options) {
        return engine.batchRead(batches, options);
    }

    @Override
    public Transfer readMulti(List<SharedSegments> parts, TransferOptions options) {
        return engine.readMulti(parts, options);
    }

    @Override
    public TransferSession session(Region local, MemoryDescriptor remote) {
        return engine.session(local, remote);
    }

    @Override
    public AwaitResult awaitAll(List<? extends Transfer> transfers, Duration timeout) throws InterruptedException {
        return engine.awaitAll(transfers, timeout);
    }

    @Override
    public long nextTransferId() {
        return engine.nextTransferId();
    }

    @Override
    public Optional<InboundTransfer> takeInbound(String peerKey, long transferId) {
        return engine.takeInbound(peerKey, transferId);
    }

    @Override
    public List<Notification> takeNotifications(int max) {
        return engine.takeNotifications(max);
    }

    @Override
    public void onNotification(Consumer<? super Notification> listener) {
        engine.onNotification(listener);
    }

    @Override
    public boolean fence(String peerKey, Duration timeout) {
        return engine.fence(peerKey, timeout);
    }

    @Override
    public boolean fenceAll(Duration timeout) {
        return engine.fenceAll(timeout);
    }

    @Override
    public SelectionReport explain(String peerKey, MemoryKind local, MemoryKind remote) {
        return engine.explain(peerKey, local, remote);
    }

    @Override
    public EngineStats stats() {
        return engine.stats();
    }

    @Override
    public void close(Duration timeout) {
        engine.close(timeout);
    }

    @Override
    public void close() {
        engine.close();
    }
}
