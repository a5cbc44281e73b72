package io.weft.engine.internal.peer;

import io.weft.spi.Limits;

/** Cuts transfers into pieces that keep a link's limits. Pure but for the transfer's own cursor. In the turn. */
final class PieceCutter {
    private final int mostSegments;
    private final long mostBytes;
    /** A longer segment is cut into fragments of this. */
    private final long fragmentBytes;

    PieceCutter(Limits limits, long pieceBytes) {
        mostSegments = limits.segmentsPerOperation();
        mostBytes = limits.singleOperation() ? limits.operationBytes() : Math.min(pieceBytes, limits.operationBytes());
        fragmentBytes = Math.min(mostBytes, limits.segmentBytes());
    }

    /** Fills a piece with what comes next; the transfer is not cut to its end. */
    void cut(PeerTransfer t, Piece piece) {
        TransferPlan plan = t.plan;
        if (plan == null) {
            throw new IllegalStateException("cut after the end");
        }
        if (t.cutRun == 0 && t.cutSegment == plan.runFrom[0] && t.cutBytes == 0 && fitsWhole(t)) {
            int last = plan.runs - 1;
            piece.cover(t, 0, plan.runs, plan.runFrom[0], plan.runTo[last], t.segmentsPlanned, t.bytes);
            t.cutRun = plan.runs;
            return;
        }
        int run = t.cutRun;
        int segment = t.cutSegment;
        if (plan.length[segment] > fragmentBytes) {
            cutFragment(t, plan, piece);
            return;
        }
        int segments = 0;
        long bytes = 0;
        int to = segment;
        while (segments < mostSegments && plan.length[segment] <= Math.min(fragmentBytes, mostBytes - bytes)) {
            bytes += plan.length[segment];
            segments++;
            to = ++segment;
            if (segment == plan.runTo[run]) {
                if (++run == plan.runs) {
                    break;
                }
                segment = plan.runFrom[run];
            }
        }
        // A run that was entered and not used belongs to the next piece.
        boolean lastRunUnused = run == plan.runs || segment == plan.runFrom[run] && run > t.cutRun;
        int runs = run - t.cutRun + (lastRunUnused ? 0 : 1);
        piece.cover(t, t.cutRun, runs, t.cutSegment, to, segments, bytes);
        t.cutRun = run;
        t.cutSegment = segment;
    }

    private boolean fitsWhole(PeerTransfer t) {
        return t.bytes <= mostBytes && t.bytes <= fragmentBytes && t.segmentsPlanned <= mostSegments;
    }

    private void cutFragment(PeerTransfer t, TransferPlan plan, Piece piece) {
        int segment = t.cutSegment;
        long bytes = Math.min(plan.length[segment] - t.cutBytes, fragmentBytes);
        piece.fragment(t, t.cutRun, plan.local[segment] + t.cutBytes, plan.remote[segment] + t.cutBytes, bytes);
        t.cutBytes += bytes;
        if (t.cutBytes == plan.length[segment]) {
            t.cutBytes = 0;
            t.cutSegment++;
            if (t.cutSegment == plan.runTo[t.cutRun]) {
                t.cutRun++;
                t.cutSegment = t.cutRun < plan.runs ? plan.runFrom[t.cutRun] : 0;
            }
        }
    }
}
