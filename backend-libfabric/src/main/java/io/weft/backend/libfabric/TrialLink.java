package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.FiCqErrEntry;
import io.weft.backend.libfabric.ofi.FiMsgRma;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.EngineClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** From one endpoint of this process to another, one operation at a time, each waited for. Confined to one thread. */
final class TrialLink {
    private static final long EAGAIN = -11;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PARK_NANOS = 20_000;

    private final OpenedFabric fabric;
    private final EngineClock clock;
    private final long deadline;
    private final RmaEndpoint initiator;
    private final RmaEndpoint target;
    private final FiMsgRma message;
    private final long context;

    TrialLink(OpenedFabric fabric, EngineClock clock, RmaEndpoint initiator, RmaEndpoint target) throws OfiException {
        this.fabric = fabric;
        this.clock = clock;
        this.initiator = initiator;
        this.target = target;
        deadline = clock.nanos() + PATIENCE_NANOS;
        initiator.pairWith(target.name);
        target.av.insert(initiator.name);
        message = new FiMsgRma(initiator.arena, 1, initiator.av.insert(target.name));
        context = initiator.arena.allocate(64, 64).address();
    }

    void write(OfiMr mr, long local, RegionKey key, long remoteOffset, long length) throws OfiException {
        carry(true, mr, local, key, remoteOffset, length);
    }

    void read(OfiMr mr, long local, RegionKey key, long remoteOffset, long length) throws OfiException {
        carry(false, mr, local, key, remoteOffset, length);
    }

    private void carry(boolean write, OfiMr mr, long local, RegionKey key, long remoteOffset, long length)
            throws OfiException {
        long mapped = key.raw() ? fabric.domain().mapRawKey(key.base(), key.key()) : key.plainKey();
        try {
            message.clear();
            message.add(local, mr.descriptor(), key.base() + remoteOffset, mapped, length);
            long at = message.finish(context);
            long rc = post(write, at);
            while (rc == EAGAIN) {
                progress();
                rc = post(write, at);
            }
            if (rc != 0) {
                throw failed((int) -rc, "posting");
            }
            awaitCompletion();
        } finally {
            if (key.raw()) {
                fabric.domain().unmapKey(mapped);
            }
        }
    }

    private long post(boolean write, long message) {
        return write
                ? initiator.endpoint.write(message, Fi.COMPLETION | Fi.DELIVERY_COMPLETE)
                : initiator.endpoint.read(message, Fi.COMPLETION);
    }

    private void awaitCompletion() {
        while (true) {
            long n = initiator.cq.read(initiator.entries.address(), 1);
            if (n == 1) {
                return;
            }
            if (n == OfiCq.ERROR_AVAILABLE) {
                initiator.cq.readError(initiator.error);
                throw failed(FiCqErrEntry.err(initiator.error), "moving bytes");
            }
            progress();
        }
    }

    private void progress() {
        target.cq.read(target.entries.address(), 1);
        if (clock.nanos() - deadline >= 0) {
            throw new WeftException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "nothing came of it within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
        }
        LockSupport.parkNanos(PARK_NANOS);
    }

    private WeftException failed(int errno, String what) {
        return new WeftException(
                NativeCodes.codeOf(errno),
                what + ": " + NativeCodes.describe(fabric.ofi(), NativeCodes.pack(errno, 0)),
                errno,
                null);
    }
}
