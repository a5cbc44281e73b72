package io.weft.backend.tcp;

import io.weft.spi.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The target's side of a link between Weft engines: offered over the control connection, then joined by its lanes. Guarded by
 * the {@link InboundLinks} that holds it.
 */
final class InboundLink {
    private final InboundLinks owner;
    private final Peer peer;
    private final LaneGreeting.Open asked;
    private final LaneGreeting.Open offered;
    private final long expiresNanos;
    private final List<Connection> connections = new ArrayList<>();
    private int joined;

    InboundLink(InboundLinks owner, Peer peer, LaneGreeting.Open asked, LaneGreeting.Open offered, long expiresNanos) {
        this.owner = owner;
        this.peer = peer;
        this.asked = asked;
        this.offered = offered;
        this.expiresNanos = expiresNanos;
    }

    Peer peer() {
        return peer;
    }

    int chunkBytes() {
        return offered.chunkBytes();
    }

    boolean isExpired(long now) {
        return Integer.bitCount(joined) < offered.lanes() && now - expiresNanos > 0;
    }

    byte[] proofContext(byte who, int lane) {
        return LaneGreeting.proofContext(who, offered.linkId(), lane, asked.nonce(), offered.nonce());
    }

    /** Lets a lane join once; false if it has joined or is not one of the link's. */
    boolean join(int lane, Connection connection) {
        if (lane >= offered.lanes() || (joined & 1 << lane) != 0) {
            return false;
        }
        joined |= 1 << lane;
        connections.add(connection);
        return true;
    }

    List<Connection> connections() {
        return List.copyOf(connections);
    }

    /** One lane is gone, so all go. */
    void lose(Throwable cause) {
        for (Connection connection : owner.remove(offered.linkId())) {
            connection
                    .reactor()
                    .execute(() -> connection.reset(
                            new IOException("another lane of the link was lost: " + cause.getMessage(), cause)));
        }
    }
}
