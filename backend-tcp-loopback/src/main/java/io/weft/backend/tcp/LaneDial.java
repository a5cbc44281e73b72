package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;

/** Dials one lane: connects, says hello with the initiator's proof, checks the target's. Confined to the reactor. */
final class LaneDial implements Handler {
    /** Checks the target's proof. */
    @FunctionalInterface
    interface Check {
        boolean isRight(byte[] proof);
    }

    private final Connection connection;
    private final ByteBuffer hello;
    private final Check check;
    private final CompletableFuture<Connection> done;
    private final ByteBuffer answer =
            ByteBuffer.allocate(LaneGreeting.ANSWER_FIXED_BYTES + LaneGreeting.MAX_PROOF_BYTES);
    private boolean connected;

    private LaneDial(
            SocketChannel channel, Reactor reactor, ByteBuffer hello, Check check, CompletableFuture<Connection> done)
            throws IOException {
        this.hello = hello;
        this.check = check;
        this.done = done;
        this.connection = new Connection(channel, reactor, SelectionKey.OP_CONNECT, this);
    }

    /** Starts on the reactor; the future tells how it ended. */
    static CompletableFuture<Connection> start(SocketChannel channel, Reactor reactor, ByteBuffer hello, Check check) {
        CompletableFuture<Connection> done = new CompletableFuture<>();
        boolean running = reactor.execute(() -> {
            try {
                new LaneDial(channel, reactor, hello, check, done);
            } catch (IOException | RuntimeException failed) {
                Sockets.closeQuietly(channel);
                done.completeExceptionally(failed);
            }
        });
        if (!running) {
            Sockets.closeQuietly(channel);
            done.completeExceptionally(new WeftException(ErrorCode.CLOSED, "the tcp backend is closed"));
        }
        return done;
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
        if (connection.channel().read(answer) < 0) {
            throw new EOFException("the peer closed the lane instead of answering");
        }
        answer.flip();
        byte[] proof = LaneGreeting.decodeAnswer(answer);
        if (proof == null) {
            answer.compact();
            return;
        }
        if (answer.hasRemaining()) {
            throw new ProtocolException("bytes behind the lane's answer");
        }
        if (!check.isRight(proof)) {
            throw new IOException("the peer could not prove that the lane is its own");
        }
        // Nothing is due before something is posted; the link begins to read when all lanes are there.
        connection.wantReadable(false);
        if (!done.complete(connection)) {
            throw new IOException("given up");
        }
    }

    @Override
    public void onClosed(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
