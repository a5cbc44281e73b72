package io.weft.engine.internal.control.socket;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.NodeMarker;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.Handshake.Established;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One attempt after the other to reach one incarnation, until its deadline. Confined to the I/O thread. */
final class Dial implements Connection.Phase {
    /** How long to wait for the peer's own connection, after it said that that one lives, before dialling again. */
    private static final long COLLISION_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    /**
     * How long to wait for the answer to a TCP connect before dialling anew. The kernel asks again after one second, then after
     * more and more: a dial that began while the network was cut would notice only long after it has healed. Longer each time,
     * so that a peer which is far away is reached, too.
     */
    private static final long SHORTEST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(400);

    private static final long LONGEST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(800);

    private enum Progress {
        PAUSED("the peer's own connection, which it said lives, did not come"),
        CONNECTING("no answer to the TCP connect"),
        OPENED("it accepted the TCP connection and did not answer Weft's handshake"),
        HELLO_SENT("it answered half of Weft's handshake"),
        DONE("");

        final String stuck;

        Progress(String stuck) {
            this.stuck = stuck;
        }
    }

    private final Dials dials;
    private final EngineDescriptor peer;
    private final NodeMarker marker;
    private final CompletableFuture<PeerSession> result = new CompletableFuture<>();
    private long deadlineNanos;
    private Progress progress = Progress.PAUSED;
    /** When to dial again while paused or connecting. */
    private long resumeAt;

    private long patience = SHORTEST_PATIENCE;
    private int silentEnds;
    private @Nullable Connection connection;
    private Handshake.@Nullable Dialler handshake;
    private @Nullable HandshakeRefusal refusal;

    Dial(Dials dials, EngineDescriptor peer, NodeMarker marker, long deadlineNanos) {
        this.dials = dials;
        this.peer = peer;
        this.marker = marker;
        this.deadlineNanos = deadlineNanos;
    }

    CompletableFuture<PeerSession> result() {
        return result;
    }

    long incarnation() {
        return marker.incarnation();
    }

    void extend(long deadline) {
        if (deadline - deadlineNanos > 0) {
            deadlineNanos = deadline;
        }
    }

    boolean isHelloSent() {
        return progress == Progress.HELLO_SENT;
    }

    void attempt() {
        progress = Progress.CONNECTING;
        refusal = null;
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            boolean connected = channel.connect(new InetSocketAddress(Addresses.numeric(peer.host()), peer.port()));
            Shared shared = dials.shared;
            connection = new Connection(shared.loop(), shared.clock(), channel, dials.buffer, this);
            if (connected) {
                connected();
            } else {
                resumeAt = shared.clock().nanos() + patience;
                patience = Math.min(patience + SHORTEST_PATIENCE / 4, LONGEST_PATIENCE);
                shared.loop().wakeBefore(resumeAt);
            }
        } catch (IllegalArgumentException notNumeric) {
            close(channel);
            fail(
                    ErrorCode.UNREACHABLE,
                    "the host of its descriptor is no numeric address; peers advertise numeric ones");
        } catch (IOException refused) {
            close(channel);
            fail(ErrorCode.UNREACHABLE, String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public void connected() {
        byte[] nonce = new byte[Opening.NONCE_BYTES];
        dials.random.nextBytes(nonce);
        Hello mine = dials.shared.handler().hello();
        Handshake.Dialler dialler = new Handshake.Dialler(dials.shared.settings().secret, mine, nonce);
        handshake = dialler;
        progress = Progress.OPENED;
        ByteBuffer open = dialler.open();
        // One segment, so that the acceptor has read all of it when it closes without a word.
        send(ByteBuffer.allocate(Greeter.MAGIC.length + open.remaining())
                .put(Greeter.MAGIC)
                .put(open)
                .flip());
    }

    @Override
    public boolean allows(FrameType type) {
        return switch (type) {
            case CHALLENGE -> progress == Progress.OPENED;
            case HELLO -> progress == Progress.HELLO_SENT;
            case REFUSE -> true;
            default -> false;
        };
    }

    @Override
    public void frame(FrameType type, WireIn body) {
        Handshake.Dialler dialler = handshake;
        Connection c = connection;
        if (dialler == null || c == null) {
            return;
        }
        try {
            switch (type) {
                case CHALLENGE -> {
                    long known = dials.sessions.lastId(incarnation());
                    send(dialler.hello(
                            body, incarnation(), known, dials.shared.settings().askedNanos()));
                    progress = Progress.HELLO_SENT;
                }
                case HELLO -> take(c, dialler.established(body), dialler.mine);
                default -> throw HandshakeRefusal.read(body);
            }
        } catch (HandshakeRefusal refused) {
            refusal = refused;
            throw refused;
        }
    }

    private void take(Connection c, Established established, Hello mine) {
        Hello theirs = established.content().hello();
        if (theirs.incarnation() != incarnation() || !theirs.key().equals(peer.key())) {
            throw HandshakeRefusal.told(ErrorCode.STALE_DESCRIPTOR, "engine " + theirs.key() + " answers there");
        }
        PeerSession replaced = dials.sessions.find(incarnation());
        PeerSession session = replaced == null ? dials.sessions.establish(c, established, mine) : replaced;
        adopt(session);
    }

    /** Ends with a session, whichever side dialled it. */
    void adopt(PeerSession session) {
        progress = Progress.DONE;
        dials.done(this);
        Connection c = connection;
        if (c != null && !c.is(session)) {
            c.reset("the peer's own connection lives");
        }
        session.opened().whenComplete((opened, failed) -> {
            if (failed == null) {
                result.complete(opened);
            } else {
                result.completeExceptionally(failed);
            }
        });
    }

    @Override
    public void ended(Connection.End end, String text) {
        // Paused already: an attempt that was abandoned.
        if (progress == Progress.DONE || progress == Progress.PAUSED) {
            return;
        }
        HandshakeRefusal refused = refusal;
        boolean silent = end == Connection.End.CLOSED_BY_PEER
                && progress == Progress.OPENED
                && connection != null
                && connection.received() == 0;
        if (refused != null && refused.isCollision()) {
            pause(COLLISION_PAUSE);
        } else if (refused != null) {
            fail(refused.code() == ErrorCode.CLOSED ? ErrorCode.UNREACHABLE : refused.code(), Texts.printable(text));
        } else if (silent && silentEnds++ == 0) {
            // It may have died at just this moment: then the next attempt is refused by its kernel.
            pause(0);
        } else if (silent) {
            fail(
                    ErrorCode.AUTHENTICATION,
                    "it ended the connection without a word, as an engine does that "
                            + (dials.shared.settings().secret.present()
                                    ? "has another shared secret; give both the same"
                                    : "has a shared secret, and this engine has none; give both the same"));
        } else if (end == Connection.End.PROTOCOL) {
            dials.shared.counters().protocolErrors().add(1);
            fail(ErrorCode.PROTOCOL, "what answers there does not speak Weft's control protocol: " + text);
        } else {
            fail(ErrorCode.UNREACHABLE, text);
        }
    }

    /** Returns when to be called again at the latest. */
    long tick(long now) {
        if (deadlineNanos - now <= 0) {
            fail(ErrorCode.UNREACHABLE, progress.stuck + " before the deadline");
        } else if (progress == Progress.PAUSED || progress == Progress.CONNECTING) {
            if (resumeAt - now <= 0) {
                abandon();
                attempt();
            }
            return deadlineNanos - resumeAt < 0 ? deadlineNanos : resumeAt;
        }
        return deadlineNanos;
    }

    private void abandon() {
        progress = Progress.PAUSED;
        Connection unanswered = connection;
        connection = null;
        if (unanswered != null) {
            unanswered.reset("no answer to the TCP connect");
        }
    }

    void fail(ErrorCode code, String found) {
        if (progress == Progress.DONE) {
            return;
        }
        progress = Progress.DONE;
        dials.done(this);
        if (connection != null) {
            connection.reset("given up");
        }
        result.completeExceptionally(new WeftException(
                code,
                "connect to engine " + peer.key() + " at " + peer.host() + " port " + peer.port() + ": " + found
                        + (code == ErrorCode.UNREACHABLE ? "; check that it runs and is reachable from here" : "")));
    }

    private void pause(long nanos) {
        progress = Progress.PAUSED;
        connection = null;
        resumeAt = dials.shared.clock().nanos() + nanos;
        dials.shared.loop().wakeBefore(resumeAt);
    }

    private void send(ByteBuffer frame) {
        Connection c = connection;
        if (c != null) {
            c.send(frame, Long.MAX_VALUE);
        }
    }

    private static void close(@Nullable SocketChannel channel) {
        if (channel != null) {
            IoLoop.closeQuietly(channel);
        }
    }
}
