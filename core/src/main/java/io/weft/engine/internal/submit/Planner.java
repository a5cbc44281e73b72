package io.weft.engine.internal.submit;

import io.weft.api.ErrorCode;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.RemoteRegion;
import io.weft.engine.internal.peer.TransferPlan;
import io.weft.engine.internal.segment.Coalescer;
import io.weft.engine.internal.segment.PlanPool;
import io.weft.spi.OperationKind;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Makes plans of segments: checked, sorted and coalesced. What cannot be planned is {@link Refused}, and its plan is back in
 * the pool then. Safe from any thread, never blocks.
 */
final class Planner {
    private static final int KEPT_COALESCERS = 8;
    /** What arrays of three numbers each can hold without strain: 1.5 GiB. */
    private static final long MOST_SEGMENTS = 1L << 26;

    private final PlanPool<TransferPlan> plans;
    private final Pairs pairs;
    private final MpmcVarHandleArrayQueue<Coalescer> coalescers = new MpmcVarHandleArrayQueue<>(KEPT_COALESCERS);

    Planner(PlanPool<TransferPlan> plans, Pairs pairs) {
        this.plans = plans;
        this.pairs = pairs;
    }

    /** Plans one segment, which needs no coalescing. */
    TransferPlan one(
            OperationKind kind,
            LocalRegion local,
            long localOffset,
            RemoteRegion remote,
            long remoteOffset,
            long length) {
        long localLimit = local.length();
        long remoteLimit = remote.descriptor().length();
        if ((localOffset | remoteOffset | length) < 0
                || localOffset > localLimit - length
                || remoteOffset > remoteLimit - length) {
            throw outOfRange(0, localOffset, remoteOffset, length, localLimit, remoteLimit);
        }
        TransferPlan plan = plans.take(1);
        if (length > 0) {
            plan.local[0] = localOffset;
            plan.remote[0] = remoteOffset;
            plan.length[0] = length;
            plan.size = 1;
            plan.addRun(0, 1, local, remote, kind == OperationKind.WRITE);
        }
        return plan;
    }

    /** Plans the segments of one pair of regions. */
    TransferPlan table(OperationKind kind, LocalRegion local, RemoteRegion remote, SegmentTable segments) {
        checkForm(segments);
        checkCount(segments.size());
        TransferPlan plan = plans.take(segments.size());
        try {
            coalesce(kind, plan, segments, local.length(), remote.descriptor().length());
            if (plan.size > 0) {
                plan.addRun(0, plan.size, local, remote, kind == OperationKind.WRITE);
            }
            return plan;
        } catch (Refused refused) {
            plans.giveBack(plan);
            throw refused;
        }
    }

    /** Plans segments that several pairs share, all with one peer. */
    TransferPlan parts(OperationKind kind, EnginePeer peer, List<SharedSegments> parts) {
        long total = 0;
        for (SharedSegments part : parts) {
            checkForm(part.segments());
            total += part.segments().size();
        }
        checkCount(total);
        TransferPlan plan = plans.take((int) total);
        try {
            for (SharedSegments part : parts) {
                add(kind, plan, part, peer);
            }
            checkRuns(kind, plan);
            return plan;
        } catch (Refused refused) {
            plans.giveBack(plan);
            throw refused;
        }
    }

    /** Segments of a part are coalesced once, within the limits of the smallest of its regions. */
    private void add(OperationKind kind, TransferPlan plan, SharedSegments part, EnginePeer peer) {
        long localLimit = Long.MAX_VALUE;
        long remoteLimit = Long.MAX_VALUE;
        for (RegionPair pair : part.pairs()) {
            checkPeer(peer, pair);
            localLimit = Math.min(localLimit, pairs.local(pair.local(), kind).length());
            remoteLimit = Math.min(
                    remoteLimit, pairs.remote(peer, pair.remote()).descriptor().length());
        }
        int from = plan.size;
        coalesce(kind, plan, part.segments(), localLimit, remoteLimit);
        if (from < plan.size) {
            for (RegionPair pair : part.pairs()) {
                addRun(kind, plan, pair, peer, from);
            }
        }
    }

    private void checkPeer(EnginePeer peer, RegionPair pair) {
        EnginePeer other = pairs.peer(pair.remote());
        if (other != peer) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "its remote regions belong to the peers " + peer.key() + " and " + other.key()
                            + "; one transfer goes to one peer");
        }
    }

    private void addRun(OperationKind kind, TransferPlan plan, RegionPair pair, EnginePeer peer, int from) {
        LocalRegion local = pairs.local(pair.local(), kind);
        RemoteRegion remote = pairs.remote(peer, pair.remote());
        if (plan.runs > 0 && !plan.sameKinds(local, remote)) {
            throw new Refused(
                    ErrorCode.UNSUPPORTED,
                    "it mixes memory kinds, " + local.location().kind() + "->" + remote.kind()
                            + " after others; make one transfer for each kind");
        }
        plan.addRun(from, plan.size, local, remote, kind == OperationKind.WRITE);
    }

    private void checkRuns(OperationKind kind, TransferPlan plan) {
        if (plan.runs < 2) {
            return;
        }
        Coalescer coalescer = takeCoalescer();
        try {
            switch (coalescer.checkRuns(plan, kind == OperationKind.WRITE)) {
                case OVERLAP -> throw overlap("address 0x" + Long.toHexString(coalescer.badOffset()));
                case TOO_TANGLED ->
                    throw new Refused(
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "more than " + Coalescer.MOST_COMPARED
                                    + " of its segments go to regions that lie over each other; split it");
                case OK, OUT_OF_RANGE -> {
                    // Bounds were checked table by table.
                }
            }
        } finally {
            giveBack(coalescer);
        }
    }

    private void coalesce(
            OperationKind kind, TransferPlan plan, SegmentTable segments, long localLimit, long remoteLimit) {
        Coalescer coalescer = takeCoalescer();
        try {
            switch (coalescer.add(plan, segments, localLimit, remoteLimit, kind == OperationKind.WRITE)) {
                case OUT_OF_RANGE -> {
                    int bad = coalescer.badIndex();
                    int at = segments.from() + bad;
                    throw outOfRange(
                            bad,
                            segments.localOffsets()[at],
                            segments.remoteOffsets()[at],
                            segments.lengths()[at],
                            localLimit,
                            remoteLimit);
                }
                case OVERLAP -> throw overlap("offset " + coalescer.badOffset());
                case OK, TOO_TANGLED -> {
                    // The latter is an answer about runs only.
                }
            }
        } finally {
            giveBack(coalescer);
        }
    }

    private static Refused overlap(String where) {
        return new Refused(
                ErrorCode.INVALID_ARGUMENT,
                "two of its segments overlap at destination " + where
                        + "; the result would depend on their order, so nothing was moved");
    }

    private static Refused outOfRange(
            int index, long localOffset, long remoteOffset, long length, long localLimit, long remoteLimit) {
        return new Refused(
                ErrorCode.INVALID_ARGUMENT,
                "segment " + index + " (local offset " + localOffset + ", remote offset " + remoteOffset + ", length "
                        + length + ") is negative, overflows or leaves a region; the local one has " + localLimit
                        + " bytes, the remote one " + remoteLimit + "; nothing was moved");
    }

    private static void checkForm(SegmentTable segments) {
        if (!segments.isWellFormed()) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "its segment table has " + segments.localOffsets().length + " local offsets, "
                            + segments.remoteOffsets().length + " remote offsets and " + segments.lengths().length
                            + " lengths, and covers " + segments.from() + " to " + segments.to()
                            + "; the arrays must be equally long and the range inside them");
        }
    }

    private static void checkCount(long segments) {
        if (segments > MOST_SEGMENTS) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "it has " + segments + " segments, one transfer may have " + MOST_SEGMENTS + "; split it");
        }
    }

    private Coalescer takeCoalescer() {
        Coalescer kept = coalescers.relaxedPoll();
        return kept == null ? new Coalescer() : kept;
    }

    private void giveBack(Coalescer coalescer) {
        coalescer.trim();
        coalescers.relaxedOffer(coalescer);
    }
}
