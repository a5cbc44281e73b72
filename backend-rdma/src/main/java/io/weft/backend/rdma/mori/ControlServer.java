package io.weft.backend.rdma.mori;

import io.weft.api.WeftException;
import io.weft.spi.EngineClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Answers MORI-IO's control plane on connections that core handed over: one request, one answer, and the connection is closed. Each has a
 * virtual thread and a time for all of it, so that a slow client delays nobody; who is refused, or says what cannot be read, gets nothing.
 *
 * <p>Thread-safe.
 */
public final class ControlServer {
    private static final int MOST_CONNECTIONS = 256;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final System.Logger LOG = System.getLogger("io.weft.backend.rdma");

    /** What the requests mean. Safe from any thread; may block as long as making a queue pair takes. */
    public interface Handler {
        /**
         * Makes a queue pair for a peer's.
         *
         * @param request the peer's
         * @param remoteAddress where it comes from
         * @return this side's, ready to receive
         * @throws WeftException to refuse
         */
        RegEndpoint onEndpoint(RegEndpoint request, String remoteAddress);

        /**
         * Looks a region up.
         *
         * @param request which
         * @param remoteAddress where it comes from
         * @return the answer
         * @throws WeftException to refuse
         */
        AskMemoryRegion onRegion(AskMemoryRegion request, String remoteAddress);

        /**
         * Counts a connection that got nothing.
         */
        void onRefused();
    }

    private final Handler handler;
    private final EngineClock clock;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Starts without connections.
     *
     * @param handler what answers
     * @param clock of the deadlines
     */
    public ControlServer(Handler handler, EngineClock clock) {
        this.handler = handler;
        this.clock = clock;
    }

    /**
     * Takes a connection over. Does not block.
     *
     * @param channel non-blocking, closed here
     * @param alreadyRead its first bytes
     */
    public void accept(SocketChannel channel, ByteBuffer alreadyRead) {
        open.add(channel);
        if (closed || open.size() > MOST_CONNECTIONS) {
            end(channel, null);
            return;
        }
        long deadline = clock.nanos() + MOST_NANOS;
        Thread.ofVirtual().name("weft-rdma-control").start(() -> {
            Exception refusal = null;
            try {
                serve(channel, alreadyRead, deadline);
            } catch (IOException | RuntimeException refused) { // whatever it is, it ends this connection only
                refusal = refused;
            } finally {
                end(channel, refusal);
            }
        });
    }

    private void serve(SocketChannel channel, ByteBuffer alreadyRead, long deadline) throws IOException {
        channel.configureBlocking(true);
        String remote =
                ((InetSocketAddress) channel.getRemoteAddress()).getAddress().getHostAddress();
        FrameInput in = new FrameInput(channel.socket(), alreadyRead, clock, deadline);
        ControlFrame answer = switch (in.read()) {
            case RegEndpoint request -> handler.onEndpoint(request, remote);
            case AskMemoryRegion request -> handler.onRegion(request, remote);
        };
        channel.write(ByteBuffer.wrap(answer.encode()));
    }

    private void end(SocketChannel channel, @Nullable Exception refusal) {
        if (refusal != null && !closed) {
            handler.onRefused();
            LOG.log(
                    refusal instanceof WeftException || refusal instanceof IOException
                            ? System.Logger.Level.DEBUG
                            : System.Logger.Level.ERROR,
                    "WEFT-CONTROL rdma: a connection of MORI-IO's control plane was refused",
                    refusal);
        }
        closeQuietly(channel);
        open.remove(channel);
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection of MORI-IO's control plane", alreadyGone);
        }
    }

    /**
     * Ends all connections and waits for the threads that serve them.
     *
     * @param deadlineNanos a value of the clock
     * @return false if one was still there then
     */
    public boolean close(long deadlineNanos) {
        closed = true;
        while (!open.isEmpty()) {
            open.forEach(ControlServer::closeQuietly);
            if (clock.nanos() - deadlineNanos >= 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }
}
