package io.weft.engine.internal.peer;

import io.weft.engine.internal.backend.Slot;
import io.weft.engine.internal.concurrent.Turn;
import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import org.jspecify.annotations.Nullable;

/**
 * A part of a transfer that is one operation: whole segments of the plan, over several runs if they are short, or a fragment
 * of one long segment. Recycled by its link. In the turn; backends read it during {@code post}.
 */
final class Piece extends Slot implements Operation {
    private static final long[] NONE = new long[0];

    private final PeerLink link;
    private final long[] oneLocal = new long[1];
    private final long[] oneRemote = new long[1];
    private final long[] oneLength = new long[1];

    @Nullable
    PeerTransfer transfer;
    /** Next free piece, or next piece to be posted again. */
    @Nullable
    Piece nextPiece;

    private int firstRun;
    private int runCount;
    private int firstSegment;
    private int lastTo;
    private boolean fragment;
    private int segmentCount;
    private long totalBytes;
    private boolean announce;
    /** Posted after its transfer had fetched keys again. */
    boolean freshKeys;

    Piece(int index, PeerLink link) {
        super(index);
        this.link = link;
    }

    /** Whole segments: of the first run from {@code from}, of the last one to before {@code to}. */
    void cover(PeerTransfer t, int run, int runs, int from, int to, int segments, long bytes) {
        transfer = t;
        firstRun = run;
        runCount = runs;
        firstSegment = from;
        lastTo = to;
        fragment = false;
        segmentCount = segments;
        totalBytes = bytes;
        announce = false;
    }

    /** A part of one segment. */
    void fragment(PeerTransfer t, int run, long local, long remote, long bytes) {
        cover(t, run, 1, 0, 1, 1, bytes);
        fragment = true;
        oneLocal[0] = local;
        oneRemote[0] = remote;
        oneLength[0] = bytes;
    }

    /** No data, only the fabric's own announcement of the end. */
    void announcement(PeerTransfer t) {
        cover(t, 0, 0, 0, 0, 0, 0);
        announce = true;
    }

    void clear() {
        transfer = null;
        nextPiece = null;
    }

    PeerLink link() {
        return link;
    }

    PeerTransfer owner() {
        PeerTransfer t = transfer;
        if (t == null) {
            throw new IllegalStateException("a free operation was used");
        }
        return t;
    }

    private TransferPlan plan() {
        TransferPlan plan = owner().plan;
        if (plan == null) {
            throw new IllegalStateException("an operation outlived its transfer");
        }
        return plan;
    }

    @Override
    protected Turn turn() {
        return link.peer();
    }

    @Override
    protected void deliver() {
        link.poster().completed(this);
    }

    @Override
    public OperationKind kind() {
        return owner().kind;
    }

    @Override
    public int runCount() {
        return runCount;
    }

    @Override
    public LocalMemory local(int run) {
        LocalMemory memory = plan().local(firstRun + run).memory(link.backend().index());
        if (memory == null) {
            throw new IllegalStateException("routed over a backend that did not register the region");
        }
        return memory;
    }

    @Override
    public RemoteMemory remote(int run) {
        return plan().remote(firstRun + run).memory(link.backend().index());
    }

    /** Whether the keys of all its regions are at hand; another transfer may have found one dead. */
    boolean hasKeys() {
        TransferPlan plan = plan();
        int backend = link.backend().index();
        for (int run = 0; run < runCount; run++) {
            if (plan.remote(firstRun + run).readiness(backend) != RemoteRegion.Readiness.READY) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int from(int run) {
        return run == 0 ? firstSegment : plan().runFrom[firstRun + run];
    }

    @Override
    public int to(int run) {
        return run == runCount - 1 ? lastTo : plan().runTo[firstRun + run];
    }

    @Override
    public long[] localOffsets() {
        return fragment ? oneLocal : announce ? NONE : plan().local;
    }

    @Override
    public long[] remoteOffsets() {
        return fragment ? oneRemote : announce ? NONE : plan().remote;
    }

    @Override
    public long[] lengths() {
        return fragment ? oneLength : announce ? NONE : plan().length;
    }

    @Override
    public int segmentCount() {
        return segmentCount;
    }

    @Override
    public long totalBytes() {
        return totalBytes;
    }

    @Override
    public long transferId() {
        return owner().id();
    }

    @Override
    public boolean announce() {
        return announce;
    }

    @Override
    public long deadlineNanos() {
        return owner().deadlineNanos;
    }
}
