package io.weft.backend.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * An accepted connection that has not shown yet whose it is. It gets nothing, not even an error text, before it has (rule
 * SEC-3), and not much time.
 */
final class Greeter implements Handler {
    /** Longest first frame of either protocol. */
    private static final int MOST_BYTES = 2_048;

    private final TcpBackend backend;
    private final Connection connection;
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);
    private final long deadlineNanos;
    private boolean known;
    private boolean counted = true;

    private Greeter(TcpBackend backend, SocketChannel channel, Reactor reactor) throws IOException {
        this.backend = backend;
        this.deadlineNanos =
                backend.context().clock().nanos() + backend.settings().greetingNanos();
        this.connection = new Connection(channel, reactor, SelectionKey.OP_READ, this);
        connection.tick(true);
    }

    /** Takes an accepted connection over; reactor only. */
    static void greet(TcpBackend backend, SocketChannel channel, Reactor reactor, ByteBuffer alreadyRead)
            throws IOException {
        Greeter greeter = new Greeter(backend, channel, reactor);
        try {
            if (alreadyRead.remaining() > MOST_BYTES) {
                throw new ProtocolException("first frame too long");
            }
            greeter.buffer.put(alreadyRead);
            greeter.decide();
        } catch (IOException refused) {
            greeter.connection.reset(refused);
        }
    }

    @Override
    public void onReadable() throws IOException {
        if (connection.channel().read(buffer) < 0) {
            throw new EOFException("closed before the greeting");
        }
        decide();
    }

    private void decide() throws IOException {
        buffer.flip();
        if (buffer.remaining() >= Integer.BYTES) {
            switch (buffer.getInt(0)) {
                case LaneWire.MAGIC -> decideLane();
                case V3.CONTROL_MAGIC -> decideV3();
                default -> throw new ProtocolException("unknown first bytes");
            }
        }
        if (!known) {
            buffer.compact();
            if (!buffer.hasRemaining()) {
                throw new ProtocolException("first frame too long");
            }
        }
    }

    private void decideLane() throws IOException {
        LaneGreeting.Hello hello = LaneGreeting.Hello.decode(buffer);
        if (hello == null) {
            return;
        }
        InboundLink link = backend.inboundLinks().join(hello, connection);
        if (link == null) {
            throw new ProtocolException("no such lane was offered");
        }
        become(new InboundLane(connection, link, backend));
        byte[] proof = link.peer().prove(link.proofContext(LaneGreeting.TARGET, hello.lane()));
        ByteBuffer answer = LaneGreeting.encodeAnswer(proof);
        connection.channel().write(answer);
        if (answer.hasRemaining()) {
            throw new IOException("a fresh socket does not take a greeting of " + answer.limit() + " bytes");
        }
        ((FrameReader) connection.handler()).feed(buffer);
    }

    private void decideV3() throws IOException {
        V3.Hello hello = V3.Hello.decode(buffer);
        if (hello == null) {
            return;
        }
        leave();
        if (!backend.v3().greet(hello, connection, buffer)) {
            connection.close(new IOException("one such connection is there already"));
        }
    }

    private void become(Handler handler) {
        connection.handOver(handler);
        leave();
    }

    /** Stops counting as a stranger. */
    private void leave() {
        known = true;
        if (counted) {
            counted = false;
            connection.tick(false);
            backend.greeted();
        }
    }

    @Override
    public void onWritable() {}

    @Override
    public void onTick(long now) throws IOException {
        if (now - deadlineNanos > 0) {
            throw new IOException("no greeting in time");
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        leave();
        backend.counters().strangers().add(1);
    }
}
