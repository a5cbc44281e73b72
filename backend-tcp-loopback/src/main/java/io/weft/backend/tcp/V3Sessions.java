package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The sessions with plain MORI-IO engines, one per wire key. Thread-safe. */
final class V3Sessions {
    /** MORI closes connections beyond its own setting, 8 by default, and with them the peer. */
    private static final int MOST_DIALLED = 8;

    private static final int MOST_SESSIONS = 1_024;
    /** If both sides dial at once, the one with the larger key waits so long for the other's connections. */
    private static final long YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final TcpBackend backend;
    private final Map<String, V3Session> sessions = new ConcurrentHashMap<>();

    V3Sessions(TcpBackend backend) {
        this.backend = backend;
    }

    void forget(V3Session session) {
        sessions.remove(session.peer().key(), session);
    }

    private V3Session sessionOf(Peer peer) {
        if (sessions.size() >= MOST_SESSIONS && !sessions.containsKey(peer.key())) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED, "more than " + MOST_SESSIONS + " plain MORI-IO engines connected");
        }
        return sessions.computeIfAbsent(peer.key(), key -> new V3Session(this, backend, peer));
    }

    /** Greets an accepted connection and takes it in; reactor only. False if it was answered and is to be closed. */
    boolean greet(V3.Hello hello, Connection connection, ByteBuffer rest) throws IOException {
        Peer known = backend.context().peers().find(hello.key()).orElse(null);
        if (known != null && !known.isPlain()) {
            throw new ProtocolException("a Weft engine's key on a plain connection");
        }
        V3Session session;
        try {
            var remote = (InetSocketAddress) connection.channel().getRemoteAddress();
            Peer peer = backend.context()
                    .peers()
                    .admitPlain(hello.key(), remote.getAddress().getHostAddress());
            session = sessionOf(peer);
        } catch (WeftException refused) {
            throw new IOException("plain peer refused: " + refused.getMessage(), refused);
        }
        ByteBuffer answer = new V3.Hello(hello.channel(), backend.context().engineKey()).encode();
        connection.channel().write(answer);
        if (answer.hasRemaining()) {
            throw new IOException("a fresh socket does not take a greeting of " + answer.limit() + " bytes");
        }
        return session.join(hello.channel(), connection, rest);
    }

    /** Gives a link to a plain peer, over the connections that are there or over new ones. Blocks. */
    V3Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        String own = backend.context().engineKey();
        if (own.compareTo(peer.key()) > 0 && !sessions.containsKey(peer.key())) {
            long until = Math.min(YIELD_NANOS, deadlineNanos - now());
            await(sessionOf(peer).ready().copy(), until);
        }
        Throwable last = null;
        do {
            V3Session session = sessionOf(peer);
            if (!session.ready().isDone()) {
                last = dial(session, peer, deadlineNanos);
            }
            if (!session.ready().isDone() && isPassing(last)) {
                // The peer may have dropped these since it keeps the ones that it dialled itself.
                await(session.ready().copy(), YIELD_NANOS);
            }
            if (session.ready().isDone() && !session.isDown()) {
                V3Link link = new V3Link(session, events);
                if (session.attach(link)) {
                    return link;
                }
            }
            session.lose(ErrorCode.PEER_LOST, new IOException("no link could be made over it"));
            // The peer may not have seen yet that the connections before these were reset.
            LockSupport.parkNanos(YIELD_NANOS);
        } while (now() - deadlineNanos < 0
                && isPassing(last)
                && !Thread.currentThread().isInterrupted());
        throw new WeftException(
                ErrorCode.UNREACHABLE,
                "dialling MORI-IO engine " + peer.key() + " at " + peer.host() + " port " + peer.port() + " failed: "
                        + (last == null ? "its connections were lost at once" : last.getMessage())
                        + "; check that the engine runs and the port is open",
                0,
                last);
    }

    /** Whether dialling anew may help: the peer was there, and let go. */
    private static boolean isPassing(@Nullable Throwable failure) {
        return failure == null
                || (failure instanceof IOException
                        && !(failure instanceof ConnectException)
                        && !(failure instanceof NoRouteToHostException)
                        && !(failure instanceof ProtocolException));
    }

    private @Nullable Throwable dial(V3Session session, Peer peer, long deadlineNanos) {
        List<CompletableFuture<Connection>> dials = new ArrayList<>();
        int data = Math.min(backend.settings().lanes(), MOST_DIALLED);
        for (int i = 0; i <= data; i++) {
            dials.add(dial(session, peer, i == 0 ? V3.CONTROL_CHANNEL : V3.DATA_CHANNEL));
        }
        Throwable failure = null;
        for (CompletableFuture<Connection> dial : dials) {
            Throwable failed = await(dial, deadlineNanos - now());
            failure = failure == null ? failed : failure;
        }
        dials.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(Dial::giveUp);
        return failure;
    }

    private CompletableFuture<Connection> dial(V3Session session, Peer peer, byte channel) {
        ByteBuffer hello = new V3.Hello(channel, backend.context().engineKey()).encode();
        return Dial.start(backend, peer.host(), peer.port(), hello, (connection, in) -> {
            V3.Hello answer = V3.Hello.decode(in);
            if (answer == null) {
                return false;
            }
            if (answer.channel() != channel || !answer.key().equals(peer.key())) {
                throw new ProtocolException("dialled " + peer.key() + ", found " + answer.key());
            }
            if (!session.join(channel, connection, in)) {
                throw new IOException("the connection was not needed any more");
            }
            return true;
        });
    }

    private static @Nullable Throwable await(CompletableFuture<?> future, long nanos) {
        try {
            future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException failed) {
            return failed.getCause();
        } catch (TimeoutException late) {
            future.completeExceptionally(late);
            return late;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return stopped;
        }
    }

    private long now() {
        return backend.context().clock().nanos();
    }

    void cutOff(Peer peer) {
        V3Session session = sessions.get(peer.key());
        if (session != null) {
            session.lose(ErrorCode.PEER_LOST, new IOException("the peer was fenced"));
        }
    }

    void cutOffAll() {
        for (V3Session session : sessions.values()) {
            session.lose(ErrorCode.CLOSED, new IOException("the tcp backend was closed"));
        }
    }

    /** Waits until no thread is in the middle of serving a peer outside of a reactor. */
    void barrier() {
        for (V3Session session : sessions.values()) {
            session.isDown();
        }
    }
}
