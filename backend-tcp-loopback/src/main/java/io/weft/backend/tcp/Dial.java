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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Dials one connection: connects, says hello, checks the answer. Confined to the reactor once started. */
final class Dial implements Handler {
    private static final int MOST_ANSWER_BYTES = 2_048;
    /**
     * How long to wait for the answer to a connect before dialling anew, seen at the next tick. The kernel asks again after one
     * second, then after more and more: a dial that began while the network was cut would notice only long after it has healed.
     * Longer each time, so that a peer which is far away is reached, too.
     */
    private static final long SHORTEST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long LONGEST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(700);

    private static final Handler ABANDONED = new Handler() {
        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}

        @Override
        public void onClosed(Throwable cause) {}
    };

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

    private final TcpBackend backend;
    private final Reactor reactor;
    private final InetSocketAddress to;
    private final ByteBuffer hello;
    private final Answer answer;
    private final CompletableFuture<Connection> done = new CompletableFuture<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_ANSWER_BYTES);
    private long patience = SHORTEST_PATIENCE;
    private long dialAgainAt;
    private @Nullable Connection current;
    private boolean connected;

    private Dial(TcpBackend backend, InetSocketAddress to, ByteBuffer hello, Answer answer) {
        this.backend = backend;
        this.reactor = backend.nextReactor();
        this.to = to;
        this.hello = hello;
        this.answer = answer;
    }

    /** Starts dialling; the future tells how it ended, and giving up is {@link #giveUp}. */
    static CompletableFuture<Connection> start(
            TcpBackend backend, String host, int port, ByteBuffer hello, Answer answer) {
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException notNumeric) {
            return CompletableFuture.failedFuture(notNumeric);
        }
        Dial dial = new Dial(backend, new InetSocketAddress(address, port), hello, answer);
        if (!dial.reactor.execute(dial::attempt)) {
            dial.done.completeExceptionally(new WeftException(ErrorCode.CLOSED, "the tcp backend is closed"));
        }
        return dial.done;
    }

    private void attempt() {
        try {
            InetAddress own = InetAddress.ofLiteral(backend.context().advertisedHost());
            SocketChannel channel = Sockets.dialling(backend.settings(), own, to.getAddress());
            try {
                channel.connect(to);
                Connection connection = new Connection(channel, reactor, SelectionKey.OP_CONNECT, this);
                current = connection;
                connection.tick(true);
            } catch (IOException | RuntimeException failed) {
                Sockets.closeQuietly(channel);
                throw failed;
            }
            dialAgainAt = backend.context().clock().nanos() + patience;
            patience = Math.min(patience + SHORTEST_PATIENCE / 4, LONGEST_PATIENCE);
        } catch (IOException | RuntimeException failed) {
            done.completeExceptionally(failed);
        }
    }

    private Connection connection() {
        return Objects.requireNonNull(current, "called before the first attempt");
    }

    @Override
    public void onTick(long now) {
        Connection connection = connection();
        if (done.isDone()) {
            connection.reset(new IOException("given up"));
        } else if (dialAgainAt - now <= 0) {
            connection.handOver(ABANDONED);
            connection.reset(new IOException("no answer to the connect"));
            attempt();
        }
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
        Connection connection = connection();
        if (!connected) {
            connection.channel().finishConnect();
            connected = true;
            connection.tick(false);
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
        Connection connection = connection();
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
