package io.weft.engine.internal.submit;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.Failures;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.peer.PeerTable;
import io.weft.engine.internal.peer.PeerTransfer;
import io.weft.engine.internal.peer.RemoteRegion;
import io.weft.engine.internal.peer.TransferPlan;
import io.weft.engine.internal.time.Durations;
import io.weft.engine.internal.transfer.EndedTransfer;
import io.weft.spi.OperationKind;
import io.weft.telemetry.jfr.TransferEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Turns calls into transfers. Every outcome is a transfer; nothing is thrown but for null references. Safe from any thread,
 * never blocks.
 */
public final class Submitter {
    private final PeerServices services;
    private final Pairs pairs;
    private final Planner planner;
    private final Supplier<String> closed;
    private final AtomicLong nextId = new AtomicLong(1);

    /**
     * Makes a submitter.
     *
     * @param services what the peers share
     * @param peers the peers
     * @param closed why the engine takes nothing any more, empty while it does
     */
    public Submitter(PeerServices services, PeerTable peers, Supplier<String> closed) {
        this.services = services;
        this.closed = closed;
        this.pairs = new Pairs(services.regions(), peers);
        this.planner = new Planner(services.plans(), pairs);
    }

    /**
     * An unused transfer id.
     *
     * @return a new id
     */
    public long nextId() {
        return nextId.getAndIncrement();
    }

    private long idOf(TransferOptions options) {
        return options.hasTransferId() ? options.transferId() : nextId();
    }

    /**
     * Moves one segment.
     *
     * @param kind direction
     * @param local local region
     * @param localOffset offset in it
     * @param remote remote region
     * @param remoteOffset offset in it
     * @param length bytes
     * @param options how
     * @return the transfer
     */
    public Transfer single(
            OperationKind kind,
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        long id = idOf(options);
        try {
            checkOpen();
            LocalRegion mine = pairs.local(local, kind);
            EnginePeer peer = pairs.peer(remote);
            RemoteRegion theirs = pairs.remote(peer, remote);
            return single(id, kind, mine, localOffset, peer, theirs, remoteOffset, length, options);
        } catch (Refused refused) {
            return refuse(id, kind, remote.engineKey(), refused);
        }
    }

    /** As above, between regions that a session has looked up. */
    Transfer single(
            OperationKind kind,
            LocalRegion local,
            long localOffset,
            EnginePeer peer,
            RemoteRegion remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        long id = idOf(options);
        try {
            checkOpen();
            pairs.local(local, kind);
            return single(id, kind, local, localOffset, peer, remote, remoteOffset, length, options);
        } catch (Refused refused) {
            return refuse(id, kind, peer.key(), refused);
        }
    }

    private Transfer single(
            long id,
            OperationKind kind,
            LocalRegion local,
            long localOffset,
            EnginePeer peer,
            RemoteRegion remote,
            long remoteOffset,
            long length,
            TransferOptions options) {
        TransferPlan plan = planner.one(kind, local, localOffset, remote, remoteOffset, length);
        return start(id, kind, peer, plan, 1, options);
    }

    /**
     * Moves the segments of one pair.
     *
     * @param kind direction
     * @param pair the regions
     * @param segments the segments
     * @param options how
     * @param id the transfer's id
     * @return the transfer
     */
    public Transfer table(
            OperationKind kind, RegionPair pair, SegmentTable segments, TransferOptions options, long id) {
        try {
            checkOpen();
            LocalRegion local = pairs.local(pair.local(), kind);
            EnginePeer peer = pairs.peer(pair.remote());
            RemoteRegion remote = pairs.remote(peer, pair.remote());
            return table(id, kind, local, peer, remote, segments, options);
        } catch (Refused refused) {
            return refuse(id, kind, pair.remote().engineKey(), refused);
        }
    }

    /** As above, between regions that a session has looked up. */
    Transfer table(
            OperationKind kind,
            LocalRegion local,
            EnginePeer peer,
            RemoteRegion remote,
            SegmentTable segments,
            TransferOptions options) {
        long id = idOf(options);
        try {
            checkOpen();
            pairs.local(local, kind);
            return table(id, kind, local, peer, remote, segments, options);
        } catch (Refused refused) {
            return refuse(id, kind, peer.key(), refused);
        }
    }

    private Transfer table(
            long id,
            OperationKind kind,
            LocalRegion local,
            EnginePeer peer,
            RemoteRegion remote,
            SegmentTable segments,
            TransferOptions options) {
        TransferPlan plan = planner.table(kind, local, remote, segments);
        return start(id, kind, peer, plan, segments.size(), options);
    }

    /**
     * Moves segments that several pairs share, as one transfer.
     *
     * @param kind direction
     * @param parts the pairs with their tables
     * @param options how
     * @return the transfer
     */
    public Transfer multi(OperationKind kind, List<SharedSegments> parts, TransferOptions options) {
        long id = idOf(options);
        MemoryDescriptor first = parts.stream()
                .flatMap(part -> part.pairs().stream())
                .map(RegionPair::remote)
                .findFirst()
                .orElse(null);
        try {
            checkOpen();
            if (first == null) {
                return nothing(id, options);
            }
            EnginePeer peer = pairs.peer(first);
            TransferPlan plan = planner.parts(kind, peer, parts);
            return start(id, kind, peer, plan, given(parts), options);
        } catch (Refused refused) {
            return refuse(id, kind, first == null ? "" : first.engineKey(), refused);
        }
    }

    private static int given(List<SharedSegments> parts) {
        long given = 0;
        for (SharedSegments part : parts) {
            given += (long) part.segments().size() * part.pairs().size();
        }
        return (int) Math.min(given, Integer.MAX_VALUE);
    }

    private Transfer nothing(long id, TransferOptions options) {
        checkOptions(options);
        if (options.notifies()) {
            throw new Refused(ErrorCode.INVALID_ARGUMENT, "it names no region pair, so there is no peer to notify");
        }
        return empty(id, 0);
    }

    private static void checkOptions(TransferOptions options) {
        if (options.notificationBytes() > TransferOptions.MAX_NOTIFICATION_BYTES) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "its notification has " + options.notificationBytes() + " bytes, at most "
                            + TransferOptions.MAX_NOTIFICATION_BYTES + " are carried");
        }
        if (options.deadline().isPresent() && !options.deadline().get().isPositive()) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "its deadline is " + options.deadline().get()
                            + "; it must be positive, and cannot be switched off");
        }
    }

    private void checkOpen() {
        String why = closed.get();
        if (!why.isEmpty()) {
            throw new Refused(ErrorCode.CLOSED, why);
        }
    }

    private long deadline(TransferOptions options, long now) {
        Duration own = options.deadline().orElse(null);
        return now + (own == null ? services.settings().deadlineNanos() : Durations.nanos(own));
    }

    private Transfer start(
            long id, OperationKind kind, EnginePeer peer, TransferPlan plan, int given, TransferOptions options) {
        try {
            checkOptions(options);
        } catch (Refused refused) {
            services.plans().giveBack(plan);
            throw refused;
        }
        if (plan.runs == 0 && !options.notifies() && !options.hasTransferId()) {
            services.plans().giveBack(plan);
            return empty(id, given);
        }
        String full = peer.admission().admit(plan.size);
        if (!full.isEmpty()) {
            services.plans().giveBack(plan);
            throw new Refused(ErrorCode.RESOURCE_EXHAUSTED, full + "; try again when some are over");
        }
        long now = services.clock().nanos();
        PeerTransfer transfer =
                new PeerTransfer(id, peer, kind, options, plan, given, now, deadline(options, now), false);
        services.tally().start();
        peer.send(transfer);
        return transfer;
    }

    /**
     * Brings up what transfers between two regions need.
     *
     * @param local local region
     * @param remote remote region
     * @param kind which direction's route
     * @return a transfer that moves nothing and does not count; it has a session's regions
     */
    Preparation prepare(LocalRegion local, MemoryDescriptor remote, OperationKind kind) {
        EnginePeer peer = pairs.peer(remote);
        RemoteRegion region = pairs.remote(peer, remote);
        TransferPlan plan = services.plans().take(1);
        plan.addRun(0, 0, local, region, kind == OperationKind.WRITE);
        peer.admission().admit(0);
        long now = services.clock().nanos();
        PeerTransfer transfer = new PeerTransfer(
                nextId(),
                peer,
                kind,
                TransferOptions.DEFAULT,
                plan,
                0,
                now,
                now + services.settings().connectNanos(),
                true);
        peer.send(transfer);
        return new Preparation(peer, region, transfer);
    }

    /** What {@link #prepare} found and began. */
    record Preparation(EnginePeer peer, RemoteRegion region, Transfer transfer) {}

    Transfer refuseClosedSession(OperationKind kind, EnginePeer peer, TransferOptions options) {
        return refuse(
                idOf(options), kind, peer.key(), new Refused(ErrorCode.CLOSED, "the session is closed; open another"));
    }

    Pairs pairs() {
        return pairs;
    }

    private Transfer empty(long id, int given) {
        services.tally().start();
        EndedTransfer ended = EndedTransfer.empty(id, services.callbacks(), given);
        services.tally().end(ended.state(), null, 0);
        return ended;
    }

    private Transfer refuse(long id, OperationKind kind, String peerKey, Refused refused) {
        services.tally().start();
        EndedTransfer ended = EndedTransfer.failed(
                id,
                services.callbacks(),
                refused.code(),
                kind.name().toLowerCase(Locale.ROOT) + (kind == OperationKind.WRITE ? " to" : " from") + " peer "
                        + peerKey + ": " + refused.text());
        services.tally().end(ended.state(), refused.code(), 0);
        Failures.add(services.control(), services.engineKey(), peerKey, id, refused.code(), ended.text());
        if (TransferEvent.isRecorded(false)) {
            TransferEvent.ended(
                    services.engineKey(),
                    peerKey,
                    id,
                    kind.name(),
                    "FAILED",
                    refused.code().name(),
                    "",
                    0,
                    0,
                    0,
                    0,
                    0,
                    0);
        }
        return ended;
    }
}
