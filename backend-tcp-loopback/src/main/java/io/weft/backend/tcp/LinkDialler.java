package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
                dials.forEach(Dial::giveUp);
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
        return Dial.start(backend, peer.host(), peer.port(), hello.encode(), (connection, in) -> {
            byte[] proof = LaneGreeting.decodeAnswer(in);
            if (proof == null) {
                return false;
            }
            if (in.hasRemaining()) {
                throw new ProtocolException("bytes behind the lane's answer");
            }
            if (!peer.verify(theirs, proof)) {
                throw new IOException("the peer could not prove that the lane is its own");
            }
            // Nothing is due before something is posted; the link begins to read when all lanes are there.
            connection.wantReadable(false);
            return true;
        });
    }

    <T> T wait(CompletableFuture<T> future, long deadlineNanos, String what) {
        try {
            return future.get(deadlineNanos - backend.context().clock().nanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof WeftException known) {
                throw known;
            }
            Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    what + " failed: " + cause.getMessage() + "; check that the engine runs and the port is open",
                    cause);
        } catch (TimeoutException late) {
            throw new WeftException(ErrorCode.UNREACHABLE, what + " did not end before the deadline", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.UNREACHABLE, what + " was interrupted", stopped);
        }
    }
}
