package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.Handshake.Established;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Accepts connections and brings them to what they are for. Those that are nothing yet are bounded in number and time; when
 * there are too many the oldest goes, since an honest peer is through in milliseconds. Confined to the I/O thread.
 */
final class Listener implements IoLoop.Ready {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final int ACCEPTS_PER_TURN = 64;

    /** A connection that is nothing yet. */
    private record Pending(Runnable close, long deadlineNanos) {}

    private final Shared shared;
    private final Sessions sessions;
    private final Dials dials;
    private final ServerSocketChannel server;
    private final SelectionKey key;
    private final Map<Object, Pending> pending = new LinkedHashMap<>();
    private final RareLog rareLog;

    Listener(Shared shared, Sessions sessions, Dials dials, ServerSocketChannel server) throws IOException {
        this.shared = shared;
        this.sessions = sessions;
        this.dials = dials;
        this.server = server;
        rareLog = new RareLog(LOG, shared.clock());
        server.configureBlocking(false);
        key = server.register(shared.loop().selector(), SelectionKey.OP_ACCEPT, this);
    }

    @Override
    public void ready(SelectionKey k) {
        try {
            for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                shared.counters().accepted().add(1);
                greet(channel);
            }
        } catch (IOException tooManyFiles) {
            // Most likely the limit of open files: ask again with the next tick instead of in a circle.
            rareLog.warn("accepting a connection failed: " + tooManyFiles.getMessage());
            key.interestOps(0);
        }
    }

    /** Nothing to give up: the next connection may be better. */
    @Override
    public void failed(RuntimeException defect) {
        rareLog.warn("accepting a connection failed: " + defect);
    }

    private void greet(SocketChannel channel) {
        try {
            Greeter greeter = new Greeter(shared, channel, this::handshake, pending::remove);
            admit(greeter, greeter::close);
        } catch (IOException broken) {
            IoLoop.closeQuietly(channel);
        } catch (RuntimeException defect) {
            IoLoop.closeQuietly(channel);
            throw defect;
        }
    }

    private void admit(Object who, Runnable close) {
        if (pending.size() >= shared.settings().maxPending) {
            pending.values().iterator().next().close.run();
        }
        long deadline = shared.clock().nanos() + shared.settings().handshakeNanos;
        pending.put(who, new Pending(close, deadline));
        shared.loop().wakeBefore(deadline);
    }

    private void handshake(Greeter greeter, ByteBuffer rest) {
        try {
            byte[] nonce = new byte[Opening.NONCE_BYTES];
            dials.random.nextBytes(nonce);
            Accepting phase = new Accepting(new Handshake.Acceptor(
                    shared.settings().secret, shared.handler().hello(), nonce));
            Connection connection =
                    new Connection(shared.loop(), shared.clock(), greeter.channel(), dials.buffer, phase);
            phase.connection = connection;
            admit(phase, () -> connection.reset("it said nothing in time"));
            connection.feed(rest);
        } catch (IOException broken) {
            IoLoop.closeQuietly(greeter.channel());
        }
    }

    /** Ends what took too long; returns when to be called again at the latest. */
    long tick(long now) {
        if (key.isValid() && key.interestOps() == 0) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        while (!pending.isEmpty()) {
            Pending oldest = pending.values().iterator().next();
            if (oldest.deadlineNanos - now > 0) {
                return oldest.deadlineNanos;
            }
            oldest.close.run();
        }
        return Long.MAX_VALUE;
    }

    void end() {
        key.cancel();
        IoLoop.closeQuietly(server);
        while (!pending.isEmpty()) {
            pending.values().iterator().next().close.run();
        }
    }

    /** The accepting side of the handshake. */
    private final class Accepting implements Connection.Phase {
        private final Handshake.Acceptor handshake;
        private Connection connection;
        private boolean challenged;

        @SuppressWarnings("NullAway.Init") // the connection is set before anything is called
        Accepting(Handshake.Acceptor handshake) {
            this.handshake = handshake;
        }

        @Override
        public boolean allows(FrameType type) {
            return challenged ? type == FrameType.HELLO || type == FrameType.REFUSE : type == FrameType.OPEN;
        }

        @Override
        public void frame(FrameType type, WireIn body) {
            try {
                switch (type) {
                    case OPEN -> {
                        connection.send(handshake.challenge(body), Long.MAX_VALUE);
                        challenged = true;
                    }
                    case HELLO -> take(handshake.established(body));
                    default -> throw HandshakeRefusal.read(body);
                }
            } catch (HandshakeRefusal refused) {
                if (refused.code() == ErrorCode.AUTHENTICATION) {
                    shared.counters().unauthenticated().add(1);
                    rareLog.warn("refused a connection from " + connection.remote() + ": "
                            + Texts.printable(String.valueOf(refused.getMessage())));
                }
                throw refused;
            }
        }

        private void take(Established e) {
            Hello mine = handshake.mine;
            Hello theirs = e.content().hello();
            if (e.content().wanted() != mine.incarnation() || theirs.incarnation() == mine.incarnation()) {
                throw HandshakeRefusal.told(
                        ErrorCode.STALE_DESCRIPTOR,
                        "its descriptor names incarnation "
                                + Long.toHexString(e.content().wanted())
                                + ", and the engine that runs here now is incarnation "
                                + Long.toHexString(mine.incarnation()) + "; fetch its descriptor anew");
            }
            PeerSession live = sessions.find(theirs.incarnation());
            // A dialler that does not know the live session has dialled before it heard of it: keep that one.
            boolean collides = live != null
                    ? live.id() != e.content().lastSession()
                    : dials.isDecided(theirs.incarnation())
                            && Long.compareUnsigned(mine.incarnation(), theirs.incarnation()) > 0;
            if (collides) {
                throw HandshakeRefusal.collision();
            }
            if (live == null && sessions.size() >= shared.settings().maxSessions) {
                throw HandshakeRefusal.told(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "it already has " + sessions.size() + " control sessions, its limit");
            }
            connection.send(handshake.answer(shared.settings().askedNanos()), Long.MAX_VALUE);
            pending.remove(this);
            dials.adopt(sessions.establish(connection, e, mine));
        }

        @Override
        public void ended(Connection.End end, String text) {
            pending.remove(this);
            if (end == Connection.End.PROTOCOL) {
                shared.counters().protocolErrors().add(1);
                rareLog.warn("closed a connection from " + connection.remote() + ": " + text);
            }
        }
    }
}
