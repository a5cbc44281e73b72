package io.weft.backend.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The receiving half of a connection: finds frames in the stream and puts payload where it belongs, short pieces by way of the
 * reactor's inbox, long ones directly. Confined to the reactor's thread.
 */
abstract class FrameReader implements Handler {
    /** Most bytes received before another connection gets its turn. */
    private static final long TURN_BYTES = 2 << 20;
    /** Behind a long payload the next head is read with few bytes behind it, since more of those would have to be copied. */
    private static final int HEAD_AFTER_BULK = 256;

    /** Where the payload goes that comes now; the subclass starts it. */
    final Cursor incoming = new Cursor();

    private final Scatter scatter = new Scatter();

    private final ByteBuffer carry;
    private final int headBytes;
    private boolean bulk;
    private boolean paused;

    /**
     * A reader.
     *
     * @param headBytes most bytes read at once while no payload is due
     * @param carryBytes what may be left unread by {@link #onFrame}
     */
    FrameReader(int headBytes, int carryBytes) {
        this.headBytes = headBytes;
        this.carry = ByteBuffer.allocate(carryBytes).limit(0);
    }

    abstract Connection connection();

    /**
     * Takes one frame's head.
     *
     * @param in bytes so far
     * @return false, with nothing taken, if more bytes are needed or {@link #pause} was called
     */
    abstract boolean onFrame(ByteBuffer in) throws IOException;

    /** The payload has come in whole. */
    abstract void onPayload() throws IOException;

    /** A round of reading is over: answer what should be answered. */
    abstract void onRoundEnd() throws IOException;

    /** Feeds bytes that somebody else read from the stream; they must fit the inbox. */
    final void feed(ByteBuffer first) throws IOException {
        ByteBuffer in = connection().reactor().inbox().clear();
        in.put(first).flip();
        parse(in);
        onRoundEnd();
    }

    /** For tests: as {@link #feed}, after a part that ended anywhere; nothing if reading pauses. */
    final void feedMore(ByteBuffer part) throws IOException {
        if (!paused) {
            ByteBuffer in = connection().reactor().inbox().clear();
            in.put(carry).put(part).flip();
            parse(in);
            onRoundEnd();
        }
    }

    /** Stops taking frames until {@link #resume}. */
    final void pause() {
        paused = true;
        connection().wantReadable(false);
    }

    final void resume() throws IOException {
        if (paused) {
            paused = false;
            connection().wantReadable(true);
            ByteBuffer in = connection().reactor().inbox().clear();
            in.put(carry).flip();
            parse(in);
            onRoundEnd();
        }
    }

    @Override
    public void onReadable() throws IOException {
        read();
    }

    final void read() throws IOException {
        long left = TURN_BYTES;
        boolean more = true;
        while (more && left > 0 && !paused) {
            ByteBuffer in = connection().reactor().inbox().clear();
            long got;
            if (incoming.isDirect()) {
                long due = incoming.remaining();
                got = incoming.receive(connection().channel(), scatter, in.limit(HEAD_AFTER_BULK));
                more = got >= due;
                bulk = true;
                connection().reactor().bulk();
                if (got >= due) {
                    onPayload();
                }
            } else {
                in.put(carry);
                long wanted = incoming.remaining() + (bulk ? HEAD_AFTER_BULK : headBytes);
                int asked = (int) Math.min(in.remaining(), wanted);
                got = connection().channel().read(in.limit(in.position() + asked));
                more = got == asked;
            }
            if (got < 0) {
                throw new EOFException("the peer closed the connection");
            }
            if (incoming.isDone() || in.position() > 0) {
                parse(in.flip());
            }
            left -= got;
            onRoundEnd();
        }
    }

    private void parse(ByteBuffer in) throws IOException {
        while (!paused) {
            if (incoming.isDone()) {
                if (!onFrame(in)) {
                    break;
                }
                bulk = incoming.isDirect();
                if (incoming.isDone()) {
                    continue;
                }
            }
            if (!in.hasRemaining()) {
                break;
            }
            int taken = incoming.unpack(connection().reactor().inboxMemory(), in.position(), in.remaining());
            in.position(in.position() + taken);
            if (incoming.isDone()) {
                onPayload();
            }
        }
        carry.clear();
        carry.put(in).flip();
    }
}
