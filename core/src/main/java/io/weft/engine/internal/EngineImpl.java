package io.weft.engine.internal;

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
import io.weft.api.TransferState;
import io.weft.engine.EngineTelemetry;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.peer.Tally;
import io.weft.engine.internal.submit.PreparedSession;
import io.weft.engine.internal.submit.Submitter;
import io.weft.engine.internal.time.Durations;
import io.weft.spi.OperationKind;
import io.weft.telemetry.Check;
import io.weft.telemetry.EngineView;
import io.weft.telemetry.MetricSource;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The engine's face: hands each call to the part that does it. */
final class EngineImpl implements TransferEngine, EngineTelemetry {
    /** Far above every quiesce time; a backend is promised that no bound is an hour away. */
    private static final long LONGEST_FENCE_NANOS = Duration.ofMinutes(30).toNanos();

    private final EngineParts parts;
    private final PeerServices services;
    private final Submitter submitter;
    private final MemoryCalls memory;
    private final EngineCloser closer;
    private final Explanation explanation;

    EngineImpl(EngineParts parts) {
        this.parts = parts;
        this.services = parts.services();
        this.submitter = parts.submitter();
        this.memory = new MemoryCalls(services.regions(), parts.devices(), parts.life());
        this.closer = new EngineCloser(parts);
        this.explanation = new Explanation(parts);
    }

    @Override
    public EngineDescriptor descriptor() {
        return parts.descriptor();
    }

    @Override
    public Region register(MemorySegment segment, RegisterOptions options) {
        return memory.register(segment, options);
    }

    @Override
    public Region register(long address, long length, MemoryLocation location, RegisterOptions options) {
        return memory.register(address, length, location, options);
    }

    @Override
    public Region allocate(MemoryLocation location, long length, RegisterOptions options) {
        return memory.allocate(location, length, options);
    }

    @Override
    public void addPeer(EngineDescriptor peer) {
        parts.life().checkOpen("add peer " + peer.key());
        PeerAddress.check(peer);
        parts.peers().add(peer);
    }

    @Override
    public void removePeer(String peerKey) {
        if (Objects.requireNonNull(peerKey, "peerKey").equals(parts.descriptor().key())) {
            return; // an engine does not forget itself
        }
        long bound = services.backends().stream()
                .mapToLong(OpenBackend::quiesceNanos)
                .max()
                .orElse(0);
        Waiting.await(
                parts.peers().remove(peerKey), 3 * bound + Duration.ofSeconds(1).toNanos());
    }

    @Override
    public Optional<PeerState> peerState(String peerKey) {
        return Optional.ofNullable(parts.peers().find(Objects.requireNonNull(peerKey, "peerKey")))
                .map(EnginePeer::state);
    }

    @Override
    public Transfer write(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        return submitter.single(OperationKind.WRITE, local, localOffset, remote, remoteOffset, length, options);
    }

    @Override
    public Transfer read(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        return submitter.single(OperationKind.READ, local, localOffset, remote, remoteOffset, length, options);
    }

    @Override
    public List<Transfer> batchWrite(List<PairTransfer> batches, TransferOptions options) {
        return batch(OperationKind.WRITE, batches, options);
    }

    @Override
    public List<Transfer> batchRead(List<PairTransfer> batches, TransferOptions options) {
        return batch(OperationKind.READ, batches, options);
    }

    private List<Transfer> batch(OperationKind kind, List<PairTransfer> batches, TransferOptions options) {
        batches.forEach(each -> Objects.requireNonNull(each, "batches")); // before the first of them is on its way
        List<Transfer> transfers = new ArrayList<>(batches.size());
        for (int i = 0; i < batches.size(); i++) {
            PairTransfer each = batches.get(i);
            long id = options.hasTransferId() ? options.transferId() + i : submitter.nextId();
            transfers.add(submitter.table(kind, each.pair(), each.segments(), options, id));
        }
        return transfers;
    }

    @Override
    public Transfer writeMulti(List<SharedSegments> shared, TransferOptions options) {
        return submitter.multi(OperationKind.WRITE, shared, options);
    }

    @Override
    public Transfer readMulti(List<SharedSegments> shared, TransferOptions options) {
        return submitter.multi(OperationKind.READ, shared, options);
    }

    @Override
    public TransferSession session(Region local, MemoryDescriptor remote) {
        parts.life().checkOpen("open a session with peer " + remote.engineKey());
        return PreparedSession.open(
                submitter, local, remote, Duration.ofNanos(services.settings().connectNanos()));
    }

    @Override
    public AwaitResult awaitAll(List<? extends Transfer> transfers, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + Durations.nanos(timeout);
        boolean all = true;
        Transfer failed = null;
        for (Transfer transfer : transfers) {
            TransferState state = transfer.await(Duration.ofNanos(end - System.nanoTime()));
            all &= state.isTerminal();
            if (failed == null && state.isTerminal() && state != TransferState.SUCCEEDED) {
                failed = transfer;
            }
        }
        if (failed != null) {
            return new AwaitResult(failed.state(), failed);
        }
        return new AwaitResult(all ? TransferState.SUCCEEDED : TransferState.IN_PROGRESS, null);
    }

    @Override
    public long nextTransferId() {
        return submitter.nextId();
    }

    @Override
    public Optional<InboundTransfer> takeInbound(String peerKey, long transferId) {
        return parts.ends().take(Objects.requireNonNull(peerKey, "peerKey"), transferId);
    }

    @Override
    public List<Notification> takeNotifications(int max) {
        return parts.notifications().take(max);
    }

    @Override
    public void onNotification(Consumer<? super Notification> listener) {
        parts.notifications().listen(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public boolean fence(String peerKey, Duration timeout) {
        String what = "fence peer " + Objects.requireNonNull(peerKey, "peerKey");
        parts.life().checkOpen(what);
        // Who was never here posted nothing.
        return cutOff(what, parts.peers().findAny(peerKey).stream().toList(), timeout);
    }

    @Override
    public boolean fenceAll(Duration timeout) {
        parts.life().checkOpen("fence all peers");
        return cutOff("fence all peers", parts.peers().all(), timeout);
    }

    private boolean cutOff(String what, List<EnginePeer> peers, Duration timeout) {
        long nanos = Math.min(Durations.nanos(timeout), LONGEST_FENCE_NANOS);
        long deadline = services.clock().nanos() + nanos;
        Waiting.awaitAll(peers.stream().map(peer -> peer.expel(what)).toList(), nanos);
        List<CompletableFuture<Boolean>> cuts;
        try {
            cuts = peers.stream()
                    .flatMap(peer -> services.backends().stream()
                            .map(backend -> CompletableFuture.supplyAsync(
                                    () -> peer.access().cutOff(backend, deadline), services.control())))
                    .toList();
        } catch (RejectedExecutionException closedMeanwhile) {
            parts.life().checkOpen(what);
            throw closedMeanwhile;
        }
        Waiting.awaitAll(cuts, deadline - services.clock().nanos());
        return cuts.stream().allMatch(cut -> cut.getNow(false));
    }

    @Override
    public SelectionReport explain(String peerKey, MemoryKind local, MemoryKind remote) {
        return explanation.explain(peerKey, local, remote);
    }

    @Override
    public EngineStats stats() {
        Tally tally = services.tally();
        // Ends first: a transfer that ends meanwhile is seen as in flight, not as ended before it started.
        long succeeded = tally.succeeded();
        long failed = tally.failed();
        long cancelled = tally.cancelled();
        long started = tally.started();
        return new EngineStats(
                started,
                succeeded,
                failed,
                cancelled,
                started - succeeded - failed - cancelled,
                tally.bytes(),
                parts.notifications().dropped(),
                services.regions().registeredBytes());
    }

    @Override
    public EngineView look(int mostPeers, int mostTransfers) {
        return new EngineLook(parts).view(stats(), mostPeers, mostTransfers);
    }

    @Override
    public List<Check> alive() {
        return new EngineLook(parts).alive();
    }

    @Override
    public MetricSource metrics() {
        return new EngineMetrics(parts, this::stats);
    }

    @Override
    public void close(Duration timeout) {
        closer.close(timeout);
    }

    @Override
    public void close() {
        closer.close(Duration.ofNanos(services.settings().closeNanos()));
    }

    @Override
    public String toString() {
        return "engine " + parts.descriptor().key();
    }
}
