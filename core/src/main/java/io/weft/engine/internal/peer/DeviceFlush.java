package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.control.ControlSession;
import io.weft.spi.OperationKind;
import io.weft.spi.Visibility;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes device memory that a NIC wrote visible before anyone is told (rule WR-9, {@code target-flush}): the owner of the
 * destination flushes, which is the peer after a write and this engine after a read. In the turn.
 */
final class DeviceFlush {
    private final EnginePeer peer;
    private final TransferList waiting =
            new TransferList("the flush of the device memory that was written, by the destination's owner");

    DeviceFlush(EnginePeer peer) {
        this.peer = peer;
    }

    /** Whether a transfer whose operations are over needs it. */
    boolean isNeeded(PeerTransfer t) {
        TransferPlan plan = t.plan;
        PeerLink link = t.link;
        if (plan == null || link == null || plan.runs == 0) {
            return false;
        }
        MemoryKind local = plan.local(0).location().kind();
        MemoryKind remote = plan.remote(0).kind();
        boolean toDevice = t.kind == OperationKind.WRITE ? !remote.isHost() : !local.isHost();
        return toDevice
                && link.backend()
                        .capabilities()
                        .find(t.kind, local, remote)
                        .map(support -> support.visibility() == Visibility.TARGET_FLUSH)
                        .orElse(false);
    }

    void begin(PeerTransfer t) {
        TransferPlan plan = t.plan;
        ControlSession session = peer.session();
        assert plan != null;
        if (t.kind == OperationKind.READ) {
            waiting.addLast(t);
            Set<MemoryLocation> devices = new LinkedHashSet<>();
            for (int run = 0; run < plan.runs; run++) {
                devices.add(plan.local(run).location());
            }
            peer.asides()
                    .run(
                            () -> {
                                devices.forEach(peer.services().copies()::flush);
                                return true;
                            },
                            done -> ended(t, null),
                            failure -> ended(t, failure));
        } else if (session == null) {
            peer.flow()
                    .fail(t, ErrorCode.PEER_LOST, "the control session ended before the target flushed its device", 0);
        } else {
            waiting.addLast(t);
            Set<Integer> regions = new LinkedHashSet<>();
            for (int run = 0; run < plan.runs; run++) {
                regions.add(plan.remote(run).descriptor().id());
            }
            session.call(StagingMessage.NAME, StagingMessage.flush(regions), t.deadlineNanos)
                    .whenComplete((answer, failure) ->
                            peer.send(Mail.of(() -> ended(t, failure == null ? null : StagedChunk.told(failure)))));
        }
    }

    private void ended(PeerTransfer t, @Nullable WeftException failure) {
        if (t.place != waiting) {
            return; // it was withdrawn meanwhile
        }
        if (failure == null) {
            waiting.remove(t);
            peer.flow().flushed(t);
        } else {
            peer.flow().fail(t, failure.code(), "flush device memory: " + failure.getMessage(), failure.nativeCode());
        }
    }
}
