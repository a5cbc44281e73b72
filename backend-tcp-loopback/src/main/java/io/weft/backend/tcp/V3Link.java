package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import java.io.IOException;
import java.util.List;

/** The way to a plain MORI-IO engine: the initiator's view of a {@link V3Session}. */
final class V3Link implements Link {
    private final V3Session session;
    private final LinkEvents events;

    V3Link(V3Session session, LinkEvents events) {
        this.session = session;
        this.events = events;
    }

    @Override
    public int post(Operation operation) {
        return session.initiator().post(operation);
    }

    void onWritable() {
        events.onWritable();
    }

    void onDown(ErrorCode code, String text) {
        session.backend().forget(this);
        events.onDown(code, 0, text);
    }

    @Override
    public boolean fence(long deadlineNanos) {
        session.lose(ErrorCode.CANCELLED, new IOException("the link was fenced"));
        return session.backend().barrier(deadlineNanos);
    }

    @Override
    public Limits limits(Limits backendLimits) {
        return backendLimits.withSegmentsPerOperation(V3.MAX_SEGMENTS).withSingleOperation();
    }

    @Override
    public LinkSnapshot snapshot() {
        List<Long> moved = session.bytesPerLane();
        return new LinkSnapshot(
                Math.max(1, moved.size()),
                List.of(),
                moved,
                session.initiator().inFlight(),
                "MORI-IO TCP protocol " + V3.VERSION);
    }

    @Override
    public void close() {
        fence(session.backend().context().clock().nanos() + TcpBackend.QUIESCE.toNanos());
    }
}
