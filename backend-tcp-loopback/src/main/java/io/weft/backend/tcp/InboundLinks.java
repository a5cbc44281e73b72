package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.EngineClock;
import io.weft.spi.Peer;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All links on which Weft peers reach this engine. Thread-safe. */
final class InboundLinks {
    private static final int MOST_PER_PEER = 16;
    private static final int MOST = 4_096;

    private final EngineClock clock;
    private final TcpSettings settings;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, InboundLink> links = new HashMap<>();

    InboundLinks(EngineClock clock, TcpSettings settings) {
        this.clock = clock;
        this.settings = settings;
    }

    /** Answers a peer that asks for a link. */
    LaneGreeting.Open offer(Peer peer, LaneGreeting.Open asked) {
        if (asked.version() != LaneWire.VERSION) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "peer " + peer.key() + " speaks tcp lane protocol " + asked.version() + ", this engine "
                            + LaneWire.VERSION);
        }
        byte[] nonce = new byte[LaneGreeting.NONCE_BYTES];
        random.nextBytes(nonce);
        var offered = new LaneGreeting.Open(
                LaneWire.VERSION,
                Math.min(asked.lanes(), LaneWire.MAX_LANES),
                Math.min(asked.chunkBytes(), settings.chunkBytes()),
                asked.linkId(),
                nonce);
        add(new InboundLink(this, peer, asked, offered, clock.nanos() + 2 * settings.greetingNanos()), asked.linkId());
        return offered;
    }

    private synchronized void add(InboundLink link, long linkId) {
        expire();
        long ofPeer = links.values().stream().filter(l -> isOf(l, link.peer())).count();
        if (ofPeer >= MOST_PER_PEER || links.size() >= MOST || links.containsKey(linkId)) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "tcp link for peer " + link.peer().key() + " refused: it has " + ofPeer + " of " + MOST_PER_PEER
                            + " and all peers have " + links.size() + " of " + MOST);
        }
        links.put(linkId, link);
    }

    private void expire() {
        long now = clock.nanos();
        for (Iterator<InboundLink> all = links.values().iterator(); all.hasNext(); ) {
            InboundLink link = all.next();
            if (link.isExpired(now)) {
                all.remove();
                resetAll(link.connections(), "the link did not come up in time");
            }
        }
    }

    /** Lets a lane join the link that it names; null if nothing of that kind was offered to that peer. */
    @Nullable
    InboundLink join(LaneGreeting.Hello hello, Connection connection) {
        InboundLink link;
        synchronized (this) {
            link = links.get(hello.linkId());
        }
        if (link == null || !link.peer().key().equals(hello.key())) {
            return null;
        }
        // Outside the lock, since the proof is core's code.
        byte[] context = link.proofContext(LaneGreeting.INITIATOR, hello.lane());
        if (!link.peer().verify(context, hello.proof())) {
            return null;
        }
        synchronized (this) {
            return links.get(hello.linkId()) == link && link.join(hello.lane(), connection) ? link : null;
        }
    }

    synchronized List<Connection> remove(long linkId) {
        InboundLink link = links.remove(linkId);
        return link == null ? List.of() : link.connections();
    }

    /** Takes back all offers to a peer and resets its lanes; the reactors have to pass a barrier afterwards. */
    void cutOff(Peer peer) {
        cutOff(link -> isOf(link, peer));
    }

    void cutOffAll() {
        cutOff(link -> true);
    }

    private void cutOff(Predicate<InboundLink> whom) {
        List<Connection> cut = new ArrayList<>();
        synchronized (this) {
            for (Iterator<InboundLink> all = links.values().iterator(); all.hasNext(); ) {
                InboundLink link = all.next();
                if (whom.test(link)) {
                    all.remove();
                    cut.addAll(link.connections());
                }
            }
        }
        resetAll(cut, "the peer was fenced");
    }

    private static void resetAll(List<Connection> connections, String why) {
        for (Connection connection : connections) {
            connection.reactor().execute(() -> connection.reset(new IOException(why)));
        }
    }

    private static boolean isOf(InboundLink link, Peer peer) {
        return link.peer().key().equals(peer.key()) && link.peer().incarnation() == peer.incarnation();
    }
}
