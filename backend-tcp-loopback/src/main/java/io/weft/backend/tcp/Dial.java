package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;

/** Dials one connection: connects, says hello, checks the answer. Confined to the reactor once started. */
final class Dial implements Handler {
    private static final int MOST_ANSWER_BYTES = 2_048;

    /** Looks at the answer. */
    @FunctionalInterface
    interface Answer {
        /**
         * Takes what has come.
         *
         * @param connection the connection, to be handed over to another handler when the answer is right
         * @param in all bytes so far; on true the rest is left in it
         * @return false if more bytes are needed
         * @throws IOException if the answer is wrong
         */
        boolean take(Connection connection, ByteBuffer in) throws IOException;
    }

    private final Connection connection;
    private final ByteBuffer hello;
    private final Answer answer;
    private final CompletableFuture<Connection> done;
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_ANSWER_BYTES);
    private boolean connected;

    private Dial(
            SocketChannel channel, Reactor reactor, ByteBuffer hello, Answer answer, CompletableFuture<Connection> done)
            throws IOException {
        this.hello = hello;
        this.answer = answer;
        this.done = done;
        this.connection = new Connection(channel, reactor, SelectionKey.OP_CONNECT, this);
    }

    /** Starts dialling; the future tells how it ended, and giving up is {@link #giveUp}. */
    static CompletableFuture<Connection> start(
            TcpBackend backend, String host, int port, ByteBuffer hello, Answer answer) {
        CompletableFuture<Connection> done = new CompletableFuture<>();
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            InetAddress own = InetAddress.ofLiteral(backend.context().advertisedHost());
            SocketChannel channel = Sockets.dialling(backend.settings(), own, address);
            Reactor reactor = backend.nextReactor();
            boolean running = reactor.execute(() -> {
                try {
                    channel.connect(new InetSocketAddress(address, port));
                    new Dial(channel, reactor, hello, answer, done);
                } catch (IOException | RuntimeException failed) {
                    Sockets.closeQuietly(channel);
                    done.completeExceptionally(failed);
                }
            });
            if (!running) {
                Sockets.closeQuietly(channel);
                done.completeExceptionally(new WeftException(ErrorCode.CLOSED, "the tcp backend is closed"));
            }
        } catch (IOException | IllegalArgumentException failed) {
            done.completeExceptionally(failed);
        }
        return done;
    }

    /** Closes what a dial has come to or will come to. */
    static void giveUp(CompletableFuture<Connection> dial) {
        dial.completeExceptionally(new IOException("given up"));
        if (!dial.isCompletedExceptionally()) {
            Connection connection = dial.join();
            connection.reactor().execute(() -> connection.reset(new IOException("given up")));
        }
    }

    @Override
    public void onWritable() throws IOException {
        if (!connected) {
            connection.channel().finishConnect();
            connected = true;
            connection.isConnected();
        }
        connection.channel().write(hello);
        connection.wantWritable(hello.hasRemaining());
    }

    @Override
    public void onReadable() throws IOException {
        if (done.isDone()) {
            throw new IOException("given up");
        }
        if (connection.channel().read(buffer) < 0) {
            throw new EOFException("the peer closed the connection instead of answering");
        }
        buffer.flip();
        boolean whole;
        try {
            whole = answer.take(connection, buffer);
        } catch (IOException wrong) {
            done.completeExceptionally(wrong);
            throw wrong;
        }
        if (!whole) {
            buffer.compact();
            if (!buffer.hasRemaining()) {
                throw new ProtocolException("the answer is too long");
            }
        } else if (!done.complete(connection)) {
            connection.reset(new IOException("given up"));
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
