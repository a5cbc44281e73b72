package io.weft.backend.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One socket in one reactor. Fields and methods belong to the reactor's thread, except {@link #channel} for writing and
 * {@link #wantWritable}/{@link #wantReadable}.
 */
final class Connection {
    private final SocketChannel channel;
    private final Reactor reactor;
    private final SelectionKey key;
    private Handler handler;
    private boolean closed;
    private boolean ticking;

    Connection(SocketChannel channel, Reactor reactor, int interest, Handler handler) throws IOException {
        this.channel = channel;
        this.reactor = reactor;
        this.handler = handler;
        this.key = reactor.register(channel, interest, this);
    }

    /** For tests: a channel that no selector watches. */
    Connection(SocketChannel channel, Reactor reactor, SelectionKey key, Handler handler) {
        this.channel = channel;
        this.reactor = reactor;
        this.handler = handler;
        this.key = key;
    }

    SocketChannel channel() {
        return channel;
    }

    Reactor reactor() {
        return reactor;
    }

    Handler handler() {
        return handler;
    }

    void handOver(Handler next) {
        handler = next;
    }

    boolean isClosed() {
        return closed;
    }

    /** Begins or ends {@link Handler#onTick}. */
    void tick(boolean on) {
        if (on != ticking && !closed) {
            ticking = on;
            reactor.tick(this, on);
        }
    }

    /** A dialled connection is there. */
    void isConnected() {
        interest(SelectionKey.OP_CONNECT, false);
        interest(SelectionKey.OP_READ, true);
    }

    /** Begins or stops reading; any thread. */
    void wantReadable(boolean on) {
        interest(SelectionKey.OP_READ, on);
        reactor.wakeupIfForeign();
    }

    /** Asks for {@link Handler#onWritable}; any thread. */
    void wantWritable(boolean on) {
        interest(SelectionKey.OP_WRITE, on);
        reactor.wakeupIfForeign();
    }

    private void interest(int operation, boolean on) {
        try {
            if (on) {
                key.interestOpsOr(operation);
            } else {
                key.interestOpsAnd(~operation);
            }
        } catch (CancelledKeyException closing) {
            // The connection is being closed, which its handler learns by onClosed.
        }
    }

    void dispatch(SelectionKey selected) throws IOException {
        int ready = selected.readyOps();
        if ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0) {
            handler.onWritable();
        }
        if ((ready & SelectionKey.OP_READ) != 0 && !closed) {
            handler.onReadable();
        }
    }

    /** Closes with a reset, so that nothing queued on the way arrives any more. */
    void reset(Throwable cause) {
        if (closed) {
            return;
        }
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException alreadyDead) {
            // Closing is what matters; without the option it is a graceful close of a dead socket.
        }
        close(cause);
    }

    /** Closes so that what was sent still arrives. */
    void close(Throwable cause) {
        if (closed) {
            return;
        }
        tick(false);
        closed = true;
        key.cancel();
        try {
            channel.close();
        } catch (IOException alreadyDead) {
            // The descriptor is released all the same.
        }
        reactor.forget(this);
        handler.onClosed(cause);
    }
}
