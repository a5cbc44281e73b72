package io.weft.engine.internal.submit;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.RemoteRegion;
import io.weft.spi.OperationKind;
import java.time.Duration;

/** A pair whose regions are looked up and whose link and key were there once. Safe from any thread. */
public final class PreparedSession implements TransferSession {
    private final Submitter submitter;
    private final RegionPair pair;
    private final LocalRegion local;
    private final EnginePeer peer;
    private final RemoteRegion remote;
    private volatile boolean closed;

    private PreparedSession(
            Submitter submitter, RegionPair pair, LocalRegion local, EnginePeer peer, RemoteRegion remote) {
        this.submitter = submitter;
        this.pair = pair;
        this.local = local;
        this.peer = peer;
        this.remote = remote;
    }

    /**
     * Prepares a pair. Blocks until it is prepared, at most some more than the connect timeout.
     *
     * @param submitter makes transfers
     * @param local local region
     * @param remote remote region
     * @param patience the connect timeout
     * @return the session
     * @throws WeftException why transfers between them would fail
     */
    public static PreparedSession open(Submitter submitter, Region local, MemoryDescriptor remote, Duration patience) {
        try {
            LocalRegion mine = submitter.pairs().localOfAnyRight(local);
            WeftException writeFails = null;
            for (OperationKind kind : OperationKind.values()) {
                Submitter.Preparation begun = submitter.prepare(mine, remote, kind);
                WeftException failed = await(begun.transfer(), patience);
                if (failed == null) {
                    return new PreparedSession(
                            submitter, new RegionPair(local, remote), mine, begun.peer(), begun.region());
                }
                writeFails = writeFails == null ? failed : writeFails;
                if (failed.code() != ErrorCode.UNSUPPORTED) {
                    break; // another direction may have a route, but not another peer or region
                }
            }
            throw writeFails;
        } catch (Refused refused) {
            throw new WeftException(
                    refused.code(), "open a session with peer " + remote.engineKey() + ": " + refused.text());
        }
    }

    @org.jspecify.annotations.Nullable
    private static WeftException await(Transfer preparation, Duration patience) {
        try {
            TransferState end = preparation.await(patience.multipliedBy(2));
            if (end == TransferState.SUCCEEDED) {
                return null;
            }
            ErrorCode code = preparation.code().orElse(ErrorCode.UNREACHABLE);
            return new WeftException(
                    code == ErrorCode.DEADLINE_EXCEEDED ? ErrorCode.UNREACHABLE : code,
                    "open a session: "
                            + (end.isTerminal()
                                    ? preparation.text()
                                    : "it was not ready within "
                                            + patience.multipliedBy(2).toMillis() + " ms"),
                    preparation.nativeCode(),
                    null);
        } catch (InterruptedException interrupted) {
            preparation.cancel();
            Thread.currentThread().interrupt();
            return new WeftException(ErrorCode.CANCELLED, "open a session: interrupted", interrupted);
        }
    }

    @Override
    public RegionPair pair() {
        return pair;
    }

    @Override
    public Transfer write(long localOffset, long remoteOffset, long length, TransferOptions options) {
        return closed
                ? submitter.refuseClosedSession(OperationKind.WRITE, peer, options)
                : submitter.single(
                        OperationKind.WRITE, local, localOffset, peer, remote, remoteOffset, length, options);
    }

    @Override
    public Transfer read(long localOffset, long remoteOffset, long length, TransferOptions options) {
        return closed
                ? submitter.refuseClosedSession(OperationKind.READ, peer, options)
                : submitter.single(OperationKind.READ, local, localOffset, peer, remote, remoteOffset, length, options);
    }

    @Override
    public Transfer write(SegmentTable segments, TransferOptions options) {
        return closed
                ? submitter.refuseClosedSession(OperationKind.WRITE, peer, options)
                : submitter.table(OperationKind.WRITE, local, peer, remote, segments, options);
    }

    @Override
    public Transfer read(SegmentTable segments, TransferOptions options) {
        return closed
                ? submitter.refuseClosedSession(OperationKind.READ, peer, options)
                : submitter.table(OperationKind.READ, local, peer, remote, segments, options);
    }

    @Override
    public void close() {
        closed = true; // link and key stay with the peer: other transfers use them too
    }
}
