package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Texts of failures (rule ERR-4): what was tried, on what, what was found, what to do. */
final class Texts {
    private Texts() {}

    static String failure(PeerTransfer t, String why, ErrorCode code) {
        String over = t.link == null ? "" : " over " + t.link.backend().name();
        return t.kind.name().toLowerCase(Locale.ROOT) + " of " + t.bytes + " bytes in " + t.segmentsGiven
                + " segments, " + (t.kind == io.weft.spi.OperationKind.WRITE ? "to" : "from") + " peer " + t.peer.key()
                + over + ": " + why + advice(code);
    }

    static String expired(PeerTransfer t, long now) {
        String where;
        if (t.outstanding > 0) {
            where = t.outstandingBytes + " bytes in " + t.outstanding + " operations are with the backend";
        } else if (t.link == null) {
            where = "the control session to the peer is not up (" + t.peer.state() + ")";
        } else if (!t.link.isUp()) {
            where = "the link is not up";
        } else if (!t.gateOpen) {
            where = "its readyWhen event is not ready";
        } else {
            where = "it waits in the link's queue";
        }
        return "not over within its deadline of " + TimeUnit.NANOSECONDS.toMillis(t.deadlineNanos - t.startNanos)
                + " ms; " + where;
    }

    private static String advice(ErrorCode code) {
        return switch (code.retry()) {
            case NEVER -> "";
            case LATER -> "; it may succeed later";
            case RECONNECT -> "; the next transfer connects anew";
            case REFRESH_DESCRIPTOR -> "; fetch the peer's present descriptors";
            case OTHER_PATH -> "; another backend may carry it, see explain";
        };
    }
}
