package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings up links to Weft peers. Thread-safe; blocks its caller. */
final class LinkDialler {
    private final TcpBackend backend;
    private final SecureRandom random = new SecureRandom();

    LinkDialler(TcpBackend backend) {
        this.backend = backend;
    }

    TcpLink dial(Peer peer, LinkEvents events, long deadlineNanos) {
        byte[] address = peer.address();
        if (address.length < 1 || address[0] != LaneWire.VERSION) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "cannot reach peer " + peer.key() + " over tcp: it "
                            + (address.length < 1
                                    ? "has no tcp backend"
                                    : "speaks lane protocol " + address[0] + ", this engine " + LaneWire.VERSION));
        }
        byte[] nonce = new byte[LaneGreeting.NONCE_BYTES];
        random.nextBytes(nonce);
        var asked = new LaneGreeting.Open(
                LaneWire.VERSION,
                backend.settings().lanes(),
                backend.settings().chunkBytes(),
                random.nextLong(),
                nonce);
        var offered = LaneGreeting.Open.decode(wait(
                peer.call(asked.encode(), deadlineNanos), deadlineNanos, "asking " + peer.key() + " for a tcp link"));
        List<CompletableFuture<Connection>> dials = new ArrayList<>();
        boolean up = false;
        try {
            for (int lane = 0; lane < Math.min(asked.lanes(), offered.lanes()); lane++) {
                dials.add(dialLane(peer, asked, offered, lane));
            }
            List<Connection> lanes = new ArrayList<>();
            String what = "dialling a tcp lane to " + peer.key() + " at " + peer.host() + " port " + peer.port();
            for (CompletableFuture<Connection> dial : dials) {
                lanes.add(wait(dial, deadlineNanos, what));
            }
            up = true;
            return new TcpLink(backend, peer, events, lanes, Math.min(asked.chunkBytes(), offered.chunkBytes()));
        } finally {
            if (!up) {
                dials.forEach(LinkDialler::giveUp);
            }
        }
    }

    private CompletableFuture<Connection> dialLane(
            Peer peer, LaneGreeting.Open asked, LaneGreeting.Open offered, int lane) {
        byte[] mine =
                LaneGreeting.proofContext(LaneGreeting.INITIATOR, asked.linkId(), lane, asked.nonce(), offered.nonce());
        byte[] theirs =
                LaneGreeting.proofContext(LaneGreeting.TARGET, asked.linkId(), lane, asked.nonce(), offered.nonce());
        var hello =
                new LaneGreeting.Hello(lane, asked.linkId(), backend.context().engineKey(), peer.prove(mine));
        try {
            InetAddress host = InetAddress.ofLiteral(peer.host());
            SocketChannel channel = Sockets.dialling(
                    backend.settings(), InetAddress.ofLiteral(backend.context().advertisedHost()), host);
            try {
                channel.connect(new InetSocketAddress(host, peer.port()));
            } catch (IOException | RuntimeException failed) {
                Sockets.closeQuietly(channel);
                throw failed;
            }
            return LaneDial.start(channel, backend.nextReactor(), hello.encode(), proof -> peer.verify(theirs, proof));
        } catch (IOException | IllegalArgumentException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private static void giveUp(CompletableFuture<Connection> dial) {
        if (!dial.completeExceptionally(new IOException("given up")) && !dial.isCompletedExceptionally()) {
            Connection connection = dial.join();
            connection.reactor().execute(() -> connection.reset(new IOException("given up")));
        }
    }

    private <T> T wait(CompletableFuture<T> future, long deadlineNanos, String what) {
        try {
            return future.get(deadlineNanos - backend.context().clock().nanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof WeftException known) {
                throw known;
            }
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    what + " failed: " + failed.getCause().getMessage()
                            + "; check that the engine runs and the port is open",
                    failed.getCause());
        } catch (TimeoutException late) {
            throw new WeftException(ErrorCode.UNREACHABLE, what + " did not end before the deadline", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.UNREACHABLE, what + " was interrupted", stopped);
        }
    }
}
