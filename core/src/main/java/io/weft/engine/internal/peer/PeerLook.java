package io.weft.engine.internal.peer;

import io.weft.api.EngineDescriptor;
import io.weft.telemetry.PeerView;
import io.weft.telemetry.TransferView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Describes a peer and its transfers for people. In the turn; changes nothing but which stalls were told. */
final class PeerLook {
    private final EnginePeer peer;

    PeerLook(EnginePeer peer) {
        this.peer = peer;
    }

    /** Everything, with no more than so many transfers. */
    PeerView view(int most) {
        long now = peer.now();
        // Youngest first, so that the youngest is what is left out.
        PriorityQueue<PeerTransfer> oldest =
                new PriorityQueue<>(Comparator.comparingLong((PeerTransfer t) -> now - t.startNanos));
        peer.flow().live().forEach(t -> {
            oldest.add(t);
            if (oldest.size() > most) {
                oldest.remove();
            }
        });
        List<TransferView> views = new ArrayList<>();
        while (!oldest.isEmpty()) {
            views.addFirst(view(oldest.remove(), now));
        }
        return new PeerView(
                peer.key(),
                address(peer),
                peer.isPlain(),
                peer.state().name(),
                true,
                peer.flow().live().size(),
                peer.admission().segments(),
                peer.links().stream().map(link -> link.view(now)).toList(),
                views);
    }

    static PeerView unanswered(EnginePeer peer) {
        return new PeerView(
                peer.key(),
                address(peer),
                peer.isPlain(),
                peer.state().name(),
                false,
                peer.admission().transfers(),
                peer.admission().segments(),
                List.of(),
                List.of());
    }

    private static String address(EnginePeer peer) {
        EngineDescriptor descriptor = peer.descriptor();
        return descriptor == null ? peer.remoteAddress() : descriptor.host() + ":" + descriptor.port();
    }

    /** Transfers that newly stall: how many, and the one that moved least lately. Marks them as told. */
    @Nullable
    StallFound newStalls(long patienceNanos) {
        long now = peer.now();
        int[] count = new int[1];
        PeerTransfer[] worst = new PeerTransfer[1];
        peer.flow().live().forEach(t -> {
            if (!t.stallTold && t.idleNanos(now) >= patienceNanos) {
                t.stallTold = true;
                count[0]++;
                PeerTransfer before = worst[0];
                if (before == null || t.idleNanos(now) > before.idleNanos(now)) {
                    worst[0] = t;
                }
            }
        });
        PeerTransfer found = worst[0];
        return found == null ? null : new StallFound(count[0], view(found, now));
    }

    record StallFound(int transfers, TransferView worst) {}

    private TransferView view(PeerTransfer t, long now) {
        PeerLink link = t.link;
        return new TransferView(
                t.id(),
                t.kind.name(),
                t.bytes,
                t.segmentsPlanned,
                waitsFor(t, link),
                t.outstanding,
                now - t.startNanos,
                t.idleNanos(now),
                t.deadlineNanos - now,
                link == null ? "" : link.backend().name(),
                t.replays);
    }

    private String waitsFor(PeerTransfer t, @Nullable PeerLink link) {
        if (t.isWithdrawn()) {
            return "the end that is decided (" + t.outcome + (t.outcomeCode == null ? "" : " " + t.outcomeCode)
                    + "), after " + rest(t, link);
        }
        TransferList place = t.place;
        if (place == null) {
            return rest(t, link);
        }
        if (link != null && !link.isUp()) {
            return place.what() + " over " + link.backend().name() + ", which is " + link.stateName();
        }
        if (peer.isSuspect()) {
            return place.what() + "; the peer is SUSPECT: it said nothing for a while and gets no new work";
        }
        if (link != null && link.poster().isBlocked()) {
            return place.what() + "; backend " + link.backend().name() + " says that its queue is full";
        }
        return place.what();
    }

    private String rest(PeerTransfer t, @Nullable PeerLink link) {
        String over = link == null ? "" : " over " + link.backend().name();
        if (t.outstanding > 0) {
            String suspect = peer.isSuspect() ? "; the peer is SUSPECT: it said nothing for a while" : "";
            return "completion of " + t.outstanding + " posted operations" + over + suspect;
        }
        if (t.lost > 0) {
            return "the fence of the broken link" + over + ", with which " + t.lost + " operations were lost";
        }
        return peer.sessions().isCutting() ? "the lost peer to be cut off" : "nothing: it is being worked on";
    }
}
