package io.weft.kv.internal.prefill;

import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.Quiet;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.TransferMetadata;

/** One decode rank's part in a room. Guarded by the room. */
final class Part {
    private final TransferMetadata metadata;
    private Quiet quiet = Quiet.ACKED;
    private boolean aborted;

    Part(TransferMetadata metadata) {
        this.metadata = metadata;
    }

    /** A decode rank that is only known from its abort. */
    static Part of(RoomAbort abort, String engineKey) {
        return new Part(new TransferMetadata(
                abort.room(),
                abort.host(),
                abort.port(),
                engineKey,
                new int[0],
                -1,
                new int[0][],
                1,
                0,
                abort.extras()));
    }

    TransferMetadata metadata() {
        return metadata;
    }

    NetworkAddress address() {
        return new NetworkAddress(metadata.host(), metadata.port());
    }

    long generation() {
        return metadata.extras().generation();
    }

    long epoch() {
        return metadata.extras().epoch();
    }

    boolean isWeft() {
        return metadata.extras().isPresent();
    }

    boolean isDummy() {
        return metadata.isDummy();
    }

    Quiet quiet() {
        return quiet;
    }

    void endedUnconfirmed() {
        quiet = Quiet.UNCONFIRMED;
    }

    /** The decode rank gave the room up: an older one forgot it already and would keep what it is told for ever. */
    void abort() {
        aborted = true;
    }

    boolean isToldWhilePending() {
        return isWeft() && !isDummy();
    }

    boolean isToldAtEnd() {
        return !isDummy() && (isWeft() || !aborted);
    }
}
