package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.RoutePolicy;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.route.Decision;
import io.weft.engine.internal.route.RoutePeer;
import io.weft.engine.internal.route.RouteQuestion;
import io.weft.spi.OperationKind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Routes to one peer, remembered until something changes. In the turn. */
final class PeerRoutes {
    private static final Logger LOG = System.getLogger(PeerRoutes.class.getName());

    private final EnginePeer peer;
    private final Map<RouteQuestion, Decision> known = new HashMap<>();
    private final Set<String> warned = new HashSet<>();
    /** The commonest question, answered without a look-up. */
    private final Decision[] hostToHost = new Decision[OperationKind.values().length * RoutePolicy.values().length];

    private long validUntil = Long.MAX_VALUE;

    PeerRoutes(EnginePeer peer) {
        this.peer = peer;
    }

    void forget() {
        known.clear();
        java.util.Arrays.fill(hostToHost, null);
        validUntil = Long.MAX_VALUE;
    }

    Decision decide(PeerTransfer t, TransferPlan plan) {
        RoutePolicy policy =
                t.options.routePolicy().orElse(peer.services().settings().routePolicy());
        MemoryKind local = plan.local(0).location().kind();
        MemoryKind remote = plan.remote(0).kind();
        if (validUntil != Long.MAX_VALUE && peer.now() >= validUntil) {
            forget();
        }
        int common = local.isHost() && remote.isHost()
                ? t.kind.ordinal() * RoutePolicy.values().length + policy.ordinal()
                : -1;
        if (common >= 0 && hostToHost[common] != null) {
            return hostToHost[common];
        }
        RouteQuestion question = new RouteQuestion(t.kind, local, remote, policy);
        Decision decision = known.computeIfAbsent(question, this::ask);
        if (common >= 0) {
            hostToHost[common] = decision;
        }
        return decision;
    }

    private Decision ask(RouteQuestion question) {
        long now = peer.now();
        Decision decision = peer.services().router().decide(question, asRoutePeer(now));
        peer.links().forEach(link -> validUntil = Math.min(validUntil, link.quarantineEnd(now)));
        if (question.policy() == RoutePolicy.WARN
                && decision.backend().isPresent()
                && !decision.warning().isEmpty()
                && warned.add(decision.warning())) {
            LOG.log(
                    Level.WARNING,
                    "WEFT-DEGRADED engine " + peer.services().engineKey() + " takes a degraded route to peer "
                            + peer.key() + " over " + decision.backend().get().name() + ": " + decision.warning());
        }
        return decision;
    }

    RoutePeer asRoutePeer(long now) {
        ControlSession session = peer.session();
        return new RoutePeer(
                peer.key(),
                peer.isPlain(),
                Optional.ofNullable(session).map(ControlSession::peer),
                index -> peer.linkIfAny(index).flatMap(link -> link.quarantine(now)));
    }

    /** The code of a transfer for which there is no route. */
    ErrorCode refusalCode() {
        long now = peer.now();
        for (PeerLink link : peer.links()) {
            if (link.quarantine(now).isPresent()) {
                return link.quarantineCode();
            }
        }
        return ErrorCode.UNSUPPORTED;
    }
}
