package io.weft.cli.rank;

import io.weft.api.MemoryDescriptor;
import io.weft.api.PairTransfer;
import io.weft.api.ReadyEvent;
import io.weft.api.Region;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.testkit.engine.ForwardingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An engine whose writes a test can delay, fail or make incomplete; everything else is the real engine's. */
final class FaultEngine extends ForwardingEngine {
    /** How the next write fails. */
    record Failure(String code, String message) {}

    private final DroppedPages dropped;
    private final AtomicReference<@Nullable Failure> next = new AtomicReference<>();
    private final LastReceipts receipts = new LastReceipts();
    private volatile long delayNanos;

    FaultEngine(TransferEngine engine, DroppedPages dropped) {
        super(engine);
        this.dropped = dropped;
    }

    void delayWrites(long nanos) {
        delayNanos = nanos;
    }

    LastReceipts receipts() {
        return receipts;
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
                : new FailedTransfer(options.hasTransferId() ? options.transferId() : nextTransferId(), failure);
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
                : receipts.keep(super.write(local, localOffset, remote, remoteOffset, length, delayed(options)));
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
        List<Transfer> transfers = super.batchWrite(kept, delayed(options));
        transfers.forEach(receipts::keep);
        return transfers;
    }

    @Override
    public Transfer writeMulti(List<SharedSegments> parts, TransferOptions options) {
        Transfer failed = failed(options);
        if (failed != null) {
            return failed;
        }
        if (dropped.isEmpty()) {
            return receipts.keep(super.writeMulti(parts, delayed(options)));
        }
        List<SharedSegments> kept = new ArrayList<>();
        for (SharedSegments part : parts) {
            SegmentTable table = dropped.without(part.pairs().getFirst().local(), part.segments());
            kept.add(new SharedSegments(part.pairs(), table));
        }
        return receipts.keep(super.writeMulti(kept, delayed(options)));
    }
}
