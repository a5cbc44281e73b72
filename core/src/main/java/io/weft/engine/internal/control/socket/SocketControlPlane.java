package io.weft.engine.internal.control.socket;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.NodeMarker;
import io.weft.engine.internal.control.ControlAddress;
import io.weft.engine.internal.control.ControlHandler;
import io.weft.engine.internal.control.ControlPlane;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A {@link ControlPlane} over TCP. Safe from any thread. */
public final class SocketControlPlane implements ControlPlane {
    private static final int READ_BUFFER = 64 * 1024;
    private static final int BACKLOG = 256;
    private static final long IDLE_TICK = TimeUnit.SECONDS.toNanos(1);
    /** Waiting is cut into pieces, since the clock may be another than the one that the JDK waits by. */
    private static final long WAIT_PIECE = TimeUnit.MILLISECONDS.toNanos(100);

    private final SocketSettings settings;
    private final EngineClock clock;
    private final Metrics metrics;
    private final ExecutorService executor = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // each session's lanes bound what it can use
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            ControlThread::new);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Running running;

    /** Runs handlers; known by its type, so that a handler may close its own engine. */
    private static final class ControlThread extends Thread {
        ControlThread(Runnable work) {
            super(work, "weft-control");
            setDaemon(true);
        }
    }

    /** What exists once started. */
    private record Running(Shared shared, Sessions sessions, Dials dials, Listener listener, Self self) {}

    /** The session with oneself, made when it is asked for. */
    private static final class Self {
        private @Nullable LoopSession session;

        synchronized CompletableFuture<LoopSession> open(Shared shared, Hello mine) {
            LoopSession live = session;
            if (live != null) {
                return live.opened();
            }
            LoopSession made = new LoopSession(shared, mine, this::remove);
            session = made;
            return made.start();
        }

        synchronized @Nullable LoopSession get() {
            return session;
        }

        private synchronized void remove(LoopSession gone) {
            if (session == gone) {
                session = null;
            }
        }
    }

    /**
     * Makes a plane; {@link #start} does the rest.
     *
     * @param settings settings
     * @param clock clock of all deadlines and of liveness
     * @param metrics where to count; names start with {@code control.}
     */
    public SocketControlPlane(SocketSettings settings, EngineClock clock, Metrics metrics) {
        this.settings = settings;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public String advertisedHost() {
        return Addresses.advertised(settings.advertiseHost, Addresses.resolve("listen.host", settings.listenHost));
    }

    @Override
    public ControlAddress start(ControlHandler handler) {
        InetAddress host = Addresses.resolve("listen.host", settings.listenHost);
        String advertised = Addresses.advertised(settings.advertiseHost, host);
        ServerSocketChannel server = bind(host);
        try {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            run(handler, server, port);
            return new ControlAddress(advertised, settings.advertisePort == 0 ? port : settings.advertisePort);
        } catch (IOException broken) {
            IoLoop.closeQuietly(server);
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED, "start the control plane: " + broken.getMessage(), broken);
        }
    }

    private void run(ControlHandler handler, ServerSocketChannel server, int port) throws IOException {
        Turn turn = new Turn();
        IoLoop loop = new IoLoop("weft-control-io-" + port, clock, turn);
        Shared shared = new Shared(settings, clock, handler, loop, executor, Shared.Counters.of(metrics));
        Sessions sessions = new Sessions(shared);
        Dials dials = new Dials(shared, sessions, ByteBuffer.allocateDirect(READ_BUFFER), new SecureRandom());
        Listener listener = new Listener(shared, sessions, dials, server);
        metrics.gauge("control.sessions", sessions::size);
        running = new Running(shared, sessions, dials, listener, new Self());
        loop.start();
    }

    private ServerSocketChannel bind(InetAddress host) {
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open();
            return server.bind(new InetSocketAddress(host, settings.listenPort), BACKLOG);
        } catch (IOException refused) {
            if (server != null) {
                IoLoop.closeQuietly(server);
            }
            String found = String.valueOf(refused.getMessage());
            throw new WeftException(
                    found.contains("in use")
                            ? ErrorCode.RESOURCE_EXHAUSTED
                            : found.contains("ermission") ? ErrorCode.PERMISSION : ErrorCode.INVALID_ARGUMENT,
                    "listen on weft.listen.host=" + settings.listenHost + " weft.listen.port=" + settings.listenPort
                            + ": " + found + "; choose an address of this machine and a free port, or port 0 for any",
                    refused);
        }
    }

    @Override
    public ControlSession connect(EngineDescriptor peer, long deadlineNanos) {
        Running r = running();
        String what = "connect to engine " + peer.key();
        NodeMarker marker = NodeMarker.parse(peer.nodeId())
                .orElseThrow(
                        () -> new WeftException(
                                ErrorCode.INVALID_ARGUMENT,
                                what
                                        + ": a plain MORI-IO engine, which has no control connection; its nodeId has no Weft marker"));
        Hello mine = r.shared.handler().hello();
        if (marker.wireMajor() != mine.wireMajor()) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    what + ": " + Handshake.incompatible(mine, marker.wireMajor() + "." + marker.wireMinor()));
        }
        if (marker.incarnation() == mine.incarnation()) {
            return await(r.self.open(r.shared, mine), what, deadlineNanos);
        }
        PeerSession live = r.sessions.find(marker.incarnation());
        CompletableFuture<PeerSession> session =
                live != null && !live.isClosing() ? live.opened() : r.dials.connect(peer, marker, deadlineNanos);
        return await(session, what, deadlineNanos);
    }

    @Override
    public Optional<ControlSession> find(String peerKey) {
        Running r = running;
        if (r == null) {
            return Optional.empty();
        }
        LoopSession self = r.self.get();
        return self != null && self.peer().key().equals(peerKey)
                ? Optional.of(self)
                : Optional.ofNullable(r.sessions.find(peerKey));
    }

    @Override
    public void close(long deadlineNanos) {
        Running r = running;
        if (closing.compareAndSet(false, true) && r != null) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            r.shared.loop().execute(() -> endAll(r).whenComplete((done, failed) -> over.complete(null)));
            over.whenComplete((done, failed) -> {
                r.shared.loop().stop();
                executor.shutdown();
                closed.countDown();
            });
        } else if (r == null) {
            executor.shutdown();
            closed.countDown();
        }
        awaitEnd(r, deadlineNanos);
    }

    private CompletableFuture<Void> endAll(Running r) {
        r.listener.end();
        r.dials.end();
        LoopSession self = r.self.get();
        var handled = r.sessions.all().stream().map(session -> {
            session.closeNow("the engine closes");
            return session.closed();
        });
        CompletableFuture<Void> all = CompletableFuture.allOf(handled.toArray(CompletableFuture[]::new));
        if (self == null) {
            return all;
        }
        self.close("the engine closes");
        return CompletableFuture.allOf(all, self.closed());
    }

    private void awaitEnd(@Nullable Running r, long deadlineNanos) {
        if (Thread.currentThread() instanceof ControlThread
                || r != null && r.shared.loop().isCurrentThread()) {
            return; // a handler closes its own engine: it cannot wait for itself
        }
        try {
            boolean inTime = closed.await(deadlineNanos - clock.nanos(), TimeUnit.NANOSECONDS)
                    && (r == null || r.shared.loop().join(deadlineNanos))
                    && executor.awaitTermination(deadlineNanos - clock.nanos(), TimeUnit.NANOSECONDS);
            if (!inTime) {
                if (r != null) {
                    r.shared.loop().stop();
                }
                executor.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private Running running() {
        Running r = running;
        if (r == null || closing.get()) {
            throw new WeftException(ErrorCode.CLOSED, "the control plane is " + (r == null ? "not started" : "closed"));
        }
        return r;
    }

    private <T> T await(CompletableFuture<T> session, String what, long deadlineNanos) {
        while (true) {
            long left = deadlineNanos - clock.nanos();
            try {
                return session.get(Math.clamp(left, 1, WAIT_PIECE), TimeUnit.NANOSECONDS);
            } catch (TimeoutException notYet) {
                if (closing.get()) {
                    throw new WeftException(ErrorCode.CLOSED, what + ": this engine was closed meanwhile");
                }
                // The attempt ends at the same time and knows better what was missing: let it come first.
                if (left <= -WAIT_PIECE) {
                    throw new WeftException(
                            ErrorCode.UNREACHABLE,
                            what + ": no session before the deadline; check that it runs and is reachable");
                }
            } catch (ExecutionException failed) {
                throw rethrown(failed.getCause(), what);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new WeftException(
                        ErrorCode.CANCELLED, what + ": the calling thread was interrupted", interrupted);
            }
        }
    }

    /** A new exception with the caller's stack, since many callers may wait for one attempt. */
    private static WeftException rethrown(@Nullable Throwable cause, String what) {
        return cause instanceof WeftException w
                ? new WeftException(w.code(), String.valueOf(w.getMessage()), w.nativeCode(), w)
                : new WeftException(ErrorCode.INTERNAL, what + ": " + cause, 0, cause);
    }

    /** What the I/O thread does each turn. */
    private final class Turn implements IoLoop.Owner {
        @Override
        public void stalled(long nanos, long now) {
            Running r = running;
            if (r != null) {
                r.sessions.all().forEach(session -> session.stalled(nanos, now));
            }
        }

        @Override
        public long tick(long now) {
            Running r = running;
            long next = now + IDLE_TICK;
            if (r == null) {
                return next;
            }
            next = earlier(next, r.listener.tick(now));
            next = earlier(next, r.dials.tick(now));
            for (PeerSession session : r.sessions.all()) {
                next = earlier(next, session.tick(now));
            }
            LoopSession self = r.self.get();
            return self == null ? next : earlier(next, self.tick(now));
        }

        @Override
        public void ended() {
            Running r = running;
            if (r != null) {
                endAll(r);
            }
        }

        private static long earlier(long a, long b) {
            return b == Long.MAX_VALUE || a - b < 0 ? a : b;
        }
    }
}
