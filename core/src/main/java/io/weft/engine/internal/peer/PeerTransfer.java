package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.RemoteQuiescence;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.transfer.AwaitedProgress;
import io.weft.engine.internal.transfer.TransferStatus;
import io.weft.spi.OperationKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer on its way to or from a peer. What is not final belongs to the peer's turn until the end is published, and is
 * read-only from then on.
 */
public final class PeerTransfer extends TransferStatus {
    private static final VarHandle CANCEL_ASKED;

    static {
        try {
            CANCEL_ASKED = MethodHandles.lookup().findVarHandle(PeerTransfer.class, "cancelAsked", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final EnginePeer peer;
    final OperationKind kind;
    final TransferOptions options;
    final long startNanos;
    final long deadlineNanos;
    final long bytes;
    final int segmentsGiven;
    final int segmentsPlanned;
    /** Segments that count against the peer's bound. */
    final int segmentsHeld;

    @SuppressWarnings("unused") // through CANCEL_ASKED
    private volatile boolean cancelAsked;

    /** Null once the transfer is terminal. */
    @Nullable
    TransferPlan plan;

    /** Where it waits, if it does. */
    @Nullable
    TransferList place;

    @Nullable
    PeerTransfer previous;

    @Nullable
    PeerTransfer next;
    /** All live transfers of the peer. */
    @Nullable
    PeerTransfer livePrevious;

    @Nullable
    PeerTransfer liveNext;

    @Nullable
    PeerLink link;

    /** Set if device memory is staged. */
    @Nullable
    StagedTransfer staged;
    /** Set on the operations that carry a staged transfer's chunk: a part of that transfer, seen by nobody else. */
    @Nullable
    StagedChunk chunk;

    PathInfo path = PathInfo.NONE;
    boolean gateOpen;
    /** Moves nothing: it only brings up what later transfers need, and does not count. */
    private final boolean preparation;

    /** What is to be cut next: run, segment of the plan, bytes of it that are cut. */
    int cutRun;

    int cutSegment;
    long cutBytes;
    /** Pieces that have to be posted again. */
    @Nullable
    Piece again;
    /** Posted and not completed. */
    int outstanding;

    long outstandingBytes;
    /** Lost with a link whose fence is not over: their bytes may still arrive. */
    int lost;

    /** Set once the end is decided; published when nothing can touch memory any more. */
    @Nullable
    TransferState outcome;

    @Nullable
    ErrorCode outcomeCode;

    String outcomeText = "";
    long outcomeNative;
    /** When the link is broken for what is still posted, {@link Long#MAX_VALUE} if not. */
    long graceEnd = Long.MAX_VALUE;
    /** The backend is telling a plain target, or has told it. */
    boolean announced;

    int operations;
    int retries;
    int replays;
    /** Errors of its own pieces that a rebuilt link may mend. */
    int strikes;

    boolean keysRefreshed;
    long firstPostNanos;
    /** When a piece last completed and others were left; 0 before. */
    long progressNanos;
    /** Its stall was told. */
    boolean stallTold;

    long endNanos;
    RemoteQuiescence remote = RemoteQuiescence.QUIESCED;

    /**
     * Makes a checked transfer; {@link EnginePeer#submit} takes it from there.
     *
     * @param id under which the target sees it
     * @param peer to whom
     * @param kind direction
     * @param options how
     * @param plan what, the transfer's from now on
     * @param segmentsGiven segments as given
     * @param startNanos when the call came
     * @param deadlineNanos when it must be over
     * @param preparation whether it only brings up what later transfers need
     */
    public PeerTransfer(
            long id,
            EnginePeer peer,
            OperationKind kind,
            TransferOptions options,
            TransferPlan plan,
            int segmentsGiven,
            long startNanos,
            long deadlineNanos,
            boolean preparation) {
        super(id, peer.services().callbacks());
        this.peer = peer;
        this.kind = kind;
        this.options = options;
        this.plan = plan;
        this.segmentsGiven = segmentsGiven;
        this.segmentsPlanned = plan.totalSegments();
        this.segmentsHeld = plan.size;
        this.bytes = plan.totalBytes();
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
        this.preparation = preparation;
        this.gateOpen = options.readyWhen() == null;
        this.cutSegment = plan.runs > 0 ? plan.runFrom[0] : 0;
    }

    /** Begins anew, over another link. The pieces to be posted again are the old link's to recycle. */
    void restart() {
        TransferPlan whole = plan;
        cutRun = 0;
        cutSegment = whole != null && whole.runs > 0 ? whole.runFrom[0] : 0;
        cutBytes = 0;
        again = null;
        announced = false;
    }

    /** Whether every byte was given to the link at least once. */
    boolean isCut() {
        return plan == null || cutRun >= plan.runs;
    }

    /** Whether there is something to post. */
    boolean hasMore() {
        return again != null || !isCut();
    }

    /** Time since anything of it moved. */
    long idleNanos(long now) {
        long last = startNanos;
        if (firstPostNanos != 0) {
            last = Math.max(last, firstPostNanos);
        }
        if (progressNanos != 0) {
            last = Math.max(last, progressNanos);
        }
        return now - last;
    }

    boolean isPreparation() {
        return preparation;
    }

    boolean isWithdrawn() {
        return outcome != null;
    }

    /** Whether the target is to be told of the end (rules NOT-1, IN-1). */
    boolean tells() {
        return options.notifies() || options.hasTransferId();
    }

    void publish() {
        TransferState end = outcome;
        assert end != null;
        end(end, outcomeCode, outcomeText, outcomeNative);
    }

    @Override
    protected void deliver() {
        peer.flow().accept(this);
    }

    /** Reads what is the turn's: somebody who sees no link, or the one before, only waits in another way. */
    @Override
    protected @Nullable AwaitedProgress progress() {
        PeerLink at = link;
        return at == null ? null : at.backend().awaited();
    }

    @Override
    protected void askToCancel() {
        if (CANCEL_ASKED.compareAndSet(this, false, true)) {
            peer.send(Mail.of(() -> peer.flow().cancel(this)));
        }
    }

    @Override
    protected Receipt makeReceipt() {
        long firstPost = firstPostNanos == 0 ? endNanos : firstPostNanos;
        return Receipt.builder()
                .path(path.backend(), path.devices())
                .lanes(path.lanes(), path.lanes() == 1 ? List.of(bytes) : List.of())
                .sizes(bytes, segmentsGiven, segmentsPlanned)
                .counts(operations, staged == null ? 0 : staged.copies, retries, replays)
                .times(firstPost - startNanos, endNanos - firstPost)
                .remote(remote)
                .build();
    }
}
