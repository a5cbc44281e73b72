package io.weft.engine.internal.control.socket;

import io.weft.spi.WireClaim;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Finds out by its first bytes whose an accepted connection is: Weft's own, or a wire-compatible backend's. Says nothing to
 * it. Confined to the I/O thread.
 */
final class Greeter implements IoLoop.Ready {
    /** What a dialling Weft engine sends before its first frame. */
    static final byte[] MAGIC = "WEFTCTL\0".getBytes(StandardCharsets.US_ASCII);

    private static final System.Logger LOG = System.getLogger(Greeter.class.getName());
    private static final int MAX_PEEK = 32;

    private final SocketChannel channel;
    private final Shared shared;
    private final SelectionKey key;
    private final List<WireClaim> undecided;
    private final BiConsumer<Greeter, ByteBuffer> onWeft;
    private final Consumer<Greeter> onDone;
    private final ByteBuffer first = ByteBuffer.allocate(MAX_PEEK);
    private boolean done;

    /**
     * Starts to listen.
     *
     * @param onWeft takes a channel that is off the selector, with what came after the magic
     * @param onDone told when this greeter is through with the connection, whatever became of it
     */
    Greeter(Shared shared, SocketChannel channel, BiConsumer<Greeter, ByteBuffer> onWeft, Consumer<Greeter> onDone)
            throws IOException {
        this.shared = shared;
        this.channel = channel;
        this.onWeft = onWeft;
        this.onDone = onDone;
        undecided = new ArrayList<>(shared.handler().wireClaims());
        channel.configureBlocking(false);
        key = channel.register(shared.loop().selector(), SelectionKey.OP_READ, this);
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public void ready(SelectionKey k) {
        try {
            if (channel.read(first) < 0) {
                close();
            } else {
                judge();
            }
        } catch (IOException broken) {
            close();
        }
    }

    @Override
    public void failed(RuntimeException defect) {
        close();
    }

    private void judge() {
        ByteBuffer seen = first.duplicate().flip();
        int common = seen.mismatch(ByteBuffer.wrap(MAGIC));
        if (common < 0 || common == MAGIC.length) {
            handOver(() -> onWeft.accept(this, seen.position(MAGIC.length)));
            return;
        }
        boolean maybeWeft = common == seen.limit();
        WireClaim owner = owner(seen);
        if (owner != null) {
            shared.counters().claimed().add(1);
            handOver(() -> accept(owner, seen));
        } else if (!maybeWeft && undecided.isEmpty() || !first.hasRemaining()) {
            close();
        }
    }

    @SuppressWarnings("NullAway") // null: nobody's so far
    private WireClaim owner(ByteBuffer seen) {
        for (WireClaim claim : List.copyOf(undecided)) {
            switch (ask(claim, seen.asReadOnlyBuffer())) {
                case MINE -> {
                    return claim;
                }
                case NOT_MINE -> undecided.remove(claim);
                case NEED_MORE -> {}
            }
        }
        return null;
    }

    private static WireClaim.Answer ask(WireClaim claim, ByteBuffer seen) {
        try {
            return claim.claims(seen);
        } catch (RuntimeException | LinkageError defect) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "WEFT-DEFECT backend " + claim.getClass().getName() + " failed to judge a connection",
                    defect);
            return WireClaim.Answer.NOT_MINE;
        }
    }

    private void accept(WireClaim owner, ByteBuffer seen) {
        try {
            owner.accept(channel, seen);
        } catch (RuntimeException | LinkageError defect) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "WEFT-DEFECT backend " + owner.getClass().getName() + " failed to take a connection",
                    defect);
            IoLoop.closeQuietly(channel);
        }
    }

    /** The next owner gets a channel that is registered nowhere. */
    private void handOver(Runnable to) {
        key.cancel();
        done();
        shared.loop().execute(() -> {
            shared.loop().flushCancelled();
            to.run();
        });
    }

    /** Nobody wants it. */
    void close() {
        if (!done) {
            shared.counters().unclaimed().add(1);
            key.cancel();
            IoLoop.closeQuietly(channel);
            done();
        }
    }

    private void done() {
        done = true;
        onDone.accept(this);
    }
}
