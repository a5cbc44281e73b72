package io.weft.kv.internal.prefill;

import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.kv.LeaseState;
import io.weft.kv.internal.endpoint.ControlEndpoint;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.Quiet;
import io.weft.kv.wire.RoomStatus;
import java.util.function.Consumer;

/** Carries out what rooms decide: cancels, tells decode ranks, releases leases, wakes shards. Holds no lock. */
final class RoomRunner {
    private final ControlEndpoint endpoint;
    private final Extras identity;
    private final int uniqueRank;
    private final AuxPath aux;
    private final LocalBuffers buffers;
    private final Consumer<PrefillRoom> wake;
    private final Consumer<PrefillRoom> ended;
    private final Consumer<PrefillRoom> drained;

    /** How aux rows travel to a decode rank. */
    @FunctionalInterface
    interface AuxPath {
        /** Whether rows go by message to that part, after its pages. */
        boolean byMessage(Part part);
    }

    RoomRunner(
            ControlEndpoint endpoint,
            Extras identity,
            int uniqueRank,
            AuxPath aux,
            LocalBuffers buffers,
            Consumer<PrefillRoom> wake,
            Consumer<PrefillRoom> ended,
            Consumer<PrefillRoom> drained) {
        this.endpoint = endpoint;
        this.identity = identity;
        this.uniqueRank = uniqueRank;
        this.aux = aux;
        this.buffers = buffers;
        this.wake = wake;
        this.ended = ended;
        this.drained = drained;
    }

    void run(PrefillRoom room, Actions actions) {
        actions.cancels().forEach(Transfer::cancel);
        for (Actions.Notice notice : actions.notices()) {
            if (notice.success() && aux.byMessage(notice.part())) {
                sendAux(room, notice.part());
            }
            endpoint.send(notice.part().address(), status(room, notice));
        }
        if (actions.hasEnded()) {
            ended.accept(room);
        }
        if (actions.isDrained()) {
            room.lease().move(LeaseState.ACKED);
            room.lease().announce();
            drained.accept(room);
        }
        if (actions.wantsPump()) {
            wake.accept(room);
        }
    }

    /** Answers a decode rank about a room that this rank does not carry. */
    void refuse(Part part, RoomFailure reason) {
        endpoint.send(
                part.address(),
                new RoomStatus(
                        part.metadata().room(),
                        RoomStatus.FAILED,
                        uniqueRank,
                        reason.reason(),
                        ended(part, Quiet.ACKED, reason.code().number())));
    }

    /** One message per buffer: an aux row and the status behind it keep their order, so success never overtakes it. */
    private void sendAux(PrefillRoom room, Part part) {
        int row = part.metadata().auxIndex();
        for (int buffer = 0; buffer < buffers.aux().size(); buffer++) {
            byte[] data = buffers.auxRows(buffer).read(room.auxRow());
            endpoint.send(part.address(), new AuxData(room.id(), buffer, row, data, extras(part)));
        }
    }

    private RoomStatus status(PrefillRoom room, Actions.Notice notice) {
        if (notice.success()) {
            return new RoomStatus(
                    room.id(), RoomStatus.SUCCESS, uniqueRank, "", ended(notice.part(), notice.quiet(), 0));
        }
        RoomFailure failure = room.failure();
        RoomFailure told = failure != null ? failure : busy(room);
        return new RoomStatus(
                room.id(),
                RoomStatus.FAILED,
                uniqueRank,
                told.reason(),
                ended(notice.part(), notice.quiet(), told.code().number()));
    }

    private static RoomFailure busy(PrefillRoom room) {
        return new RoomFailure(
                ErrorCode.RESOURCE_EXHAUSTED,
                "Room " + Long.toUnsignedString(room.id()) + " is "
                        + room.status().wireName()
                        + " for another request at this prefill rank; use another room id or send again later");
    }

    private Extras ended(Part part, Quiet quiet, int code) {
        return part.isWeft() ? extras(part).withQuiet(quiet, code) : Extras.NONE;
    }

    /** Older peers get the original's frames without a trailing one. */
    private Extras extras(Part part) {
        return part.isWeft() ? identity.withRoom(part.generation(), part.epoch()) : Extras.NONE;
    }
}
