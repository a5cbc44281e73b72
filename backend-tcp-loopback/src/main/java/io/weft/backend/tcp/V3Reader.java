package io.weft.backend.tcp;

import java.io.IOException;

/** A connection of a {@link V3Session}; all its work happens under the session's monitor. */
abstract class V3Reader extends FrameReader implements FrameSource {
    final V3Session session;
    private final Connection connection;
    private final Sender sender;

    V3Reader(V3Session session, Connection connection, int headBytes, int carryBytes) {
        super(headBytes, carryBytes);
        this.session = session;
        this.connection = connection;
        this.sender = new Sender(connection, this, session.backend().slabs());
    }

    @Override
    final Connection connection() {
        return connection;
    }

    @Override
    public final void onReadable() throws IOException {
        synchronized (session) {
            if (!session.isDown()) {
                read();
            }
        }
    }

    @Override
    public final void onWritable() throws IOException {
        synchronized (session) {
            if (!session.isDown()) {
                send();
            }
        }
    }

    /** Sends what is queued; under the session's monitor. */
    final void send() throws IOException {
        sender.send();
    }

    @Override
    final void onRoundEnd() {
        session.initiator().flush();
    }

    @Override
    public void onTick(long now) throws IOException {
        session.onTick(now);
    }

    @Override
    public final void onClosed(Throwable cause) {
        session.lose(cause);
        synchronized (session) {
            sender.release();
        }
    }
}
