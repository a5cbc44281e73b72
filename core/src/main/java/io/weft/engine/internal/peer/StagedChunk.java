package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.device.CopyJob;
import io.weft.engine.internal.memory.LocalRegion;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What one slot holds of a staged transfer, on its three steps: out of the source's device memory, over the wire, into the
 * destination's. A step that a host side does not need is left out. Recycled; in the turn, but for the copying thread's
 * mail.
 */
final class StagedChunk extends CopyJob {
    private final PeerStaging staging;
    private final EnginePeer peer;
    private final long[] localOffsets = new long[StagingMessage.MOST_PLACES];
    private final long[] remoteOffsets = new long[StagingMessage.MOST_PLACES];
    private final long[] sizes = new long[StagingMessage.MOST_PLACES];
    private int places;
    private int bytes;

    private enum Step {
        TAKE,
        CARRY,
        PUT
    }

    private @Nullable StagedTransfer staged;
    private @Nullable LocalRegion local;
    private @Nullable RemoteRegion remote;
    /** Slots, negative if there is none. */
    int localSlot = -1;

    int remoteSlot = -1;
    /** Which lease the remote slot is of. */
    int lease;

    private @Nullable PeerTransfer carrier;
    private Step step = Step.TAKE;

    StagedChunk(PeerStaging staging, EnginePeer peer) {
        this.staging = staging;
        this.peer = peer;
    }

    // ---- filling ----

    void begin(StagedTransfer of, LocalRegion from, RemoteRegion to) {
        staged = of;
        local = from;
        remote = to;
        places = 0;
        bytes = 0;
        step = Step.TAKE;
    }

    boolean hasRoom() {
        return bytes < StagingWindow.SLOT_BYTES && places < StagingMessage.MOST_PLACES;
    }

    long room() {
        return StagingWindow.SLOT_BYTES - bytes;
    }

    void add(long localOffset, long remoteOffset, long length) {
        localOffsets[places] = localOffset;
        remoteOffsets[places] = remoteOffset;
        sizes[places++] = length;
        bytes += (int) length;
    }

    private StagedTransfer staged() {
        StagedTransfer of = staged;
        assert of != null;
        return of;
    }

    private LocalRegion local() {
        LocalRegion region = local;
        assert region != null;
        return region;
    }

    private RemoteRegion remote() {
        RemoteRegion region = remote;
        assert region != null;
        return region;
    }

    // ---- the steps ----

    void start() {
        StagedTransfer of = staged();
        of.busy++;
        if (of.isWrite() && of.localDevice) {
            copyHere(false);
        } else if (!of.isWrite() && of.remoteDevice) {
            copyThere(StagingMessage.GATHER);
        } else {
            carry();
        }
    }

    private void copyHere(boolean toDevice) {
        staged().copies++;
        LocalRegion region = local();
        set(
                region.location(),
                toDevice,
                region.address(),
                staging.localWindow().address(offset(localSlot)),
                localOffsets,
                sizes,
                places);
        peer.services().copies().submit(this);
    }

    @Override
    protected void ended(@Nullable WeftException failure) {
        peer.send(Mail.of(() -> next(failure)));
    }

    private void copyThere(byte what) {
        staged().copies++;
        ControlSession session = peer.session();
        if (session == null) {
            end(new WeftException(ErrorCode.PEER_LOST, "the control session ended while its bytes were staged"), true);
            return;
        }
        byte[] request =
                StagingMessage.move(what, remote().descriptor().id(), offset(remoteSlot), remoteOffsets, sizes, places);
        session.call(StagingMessage.NAME, request, staged().transfer.deadlineNanos)
                .whenComplete((answer, failure) -> peer.send(Mail.of(() -> {
                    if (failure == null) {
                        next(null);
                    } else {
                        WeftException told = told(failure);
                        // Without an answer the peer may yet read the slot.
                        end(told, told.code() != ErrorCode.DEADLINE_EXCEEDED && told.code() != ErrorCode.PEER_LOST);
                    }
                })));
    }

    static WeftException told(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof WeftException told
                ? told
                : new WeftException(ErrorCode.INTERNAL, "ask the peer to copy staged bytes: " + cause, cause);
    }

    private static long offset(int slot) {
        return (long) slot * StagingWindow.SLOT_BYTES;
    }

    private void carry() {
        step = Step.CARRY;
        StagedTransfer of = staged();
        PeerTransfer parent = of.transfer;
        TransferPlan plan = peer.services().plans().take(places);
        long here = of.localDevice ? offset(localSlot) : 0;
        long there = of.remoteDevice ? offset(remoteSlot) : 0;
        for (int i = 0; i < places; i++) {
            append(plan, of.localDevice ? here : localOffsets[i], of.remoteDevice ? there : remoteOffsets[i], sizes[i]);
            here += sizes[i];
            there += sizes[i];
        }
        plan.addRun(
                0,
                plan.size,
                of.localDevice ? staging.localWindow().region() : local(),
                of.remoteDevice ? staging.remoteWindow() : remote(),
                of.isWrite());
        PeerTransfer child = new PeerTransfer(
                parent.id(), peer, parent.kind, of.options, plan, plan.size, peer.now(), parent.deadlineNanos, false);
        child.chunk = this;
        carrier = child;
        peer.flow().accept(child);
    }

    /** Neighbours are merged, as backends are promised. */
    private static void append(TransferPlan plan, long localOffset, long remoteOffset, long length) {
        int last = plan.size - 1;
        if (last >= 0
                && plan.local[last] + plan.length[last] == localOffset
                && plan.remote[last] + plan.length[last] == remoteOffset) {
            plan.length[last] += length;
        } else {
            plan.local[plan.size] = localOffset;
            plan.remote[plan.size] = remoteOffset;
            plan.length[plan.size++] = length;
        }
    }

    /** The operations between staging and host memory are over. */
    void carried(PeerTransfer child) {
        carrier = null;
        PeerTransfer parent = staged().transfer;
        parent.path = child.path == PathInfo.NONE ? parent.path : child.path;
        parent.operations += child.operations;
        parent.retries += child.retries;
        parent.replays += child.replays;
        parent.firstPostNanos = parent.firstPostNanos == 0 ? child.firstPostNanos : parent.firstPostNanos;
        if (child.outcome == TransferState.SUCCEEDED) {
            next(null);
        } else {
            ErrorCode code = child.outcomeCode == null ? ErrorCode.INTERNAL : child.outcomeCode;
            parent.remote = child.remote;
            end(new WeftException(code, child.outcomeText, child.outcomeNative, null), true);
        }
    }

    /** A step is over. */
    private void next(@Nullable WeftException failure) {
        StagedTransfer of = staged();
        if (failure != null || of.transfer.isWithdrawn()) {
            end(failure, true);
        } else if (step == Step.TAKE) {
            carry();
        } else if (step == Step.CARRY && of.isWrite() && of.remoteDevice) {
            step = Step.PUT;
            copyThere(StagingMessage.SCATTER);
        } else if (step == Step.CARRY && !of.isWrite() && of.localDevice) {
            step = Step.PUT;
            copyHere(true);
        } else {
            end(null, true);
        }
    }

    /** The transfer is withdrawn: what is on the wire is withdrawn too, a copy goes on to its end. */
    void abort() {
        PeerTransfer child = carrier;
        if (child != null) {
            peer.flow().cancel(child);
        }
    }

    private void end(@Nullable WeftException failure, boolean slotIsQuiet) {
        StagedTransfer of = staged();
        staged = null;
        local = null;
        remote = null;
        of.busy--;
        staging.chunkEnded(this, of, failure, slotIsQuiet);
    }

    boolean isOf(PeerTransfer t) {
        StagedTransfer of = staged;
        return of != null && of.transfer == t;
    }
}
