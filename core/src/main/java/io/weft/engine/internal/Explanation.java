package io.weft.engine.internal;

import io.weft.api.MemoryKind;
import io.weft.api.SelectionReport;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.route.RoutePeer;
import io.weft.engine.internal.route.RouteQuestion;
import io.weft.spi.OperationKind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Says what routing would do (rule CFG-2). Safe from any thread. */
final class Explanation {
    private final EngineParts parts;

    Explanation(EngineParts parts) {
        this.parts = parts;
    }

    SelectionReport explain(String peerKey, MemoryKind local, MemoryKind remote) {
        Optional<EnginePeer> known = parts.peers().findAny(peerKey);
        RoutePeer peer = known.map(this::ask)
                .orElseGet(() -> new RoutePeer(peerKey, false, Optional.empty(), RoutePeer.Quarantines.NONE));
        RouteQuestion question = new RouteQuestion(
                OperationKind.WRITE, local, remote, parts.services().settings().routePolicy());
        return new SelectionReport(
                "engine " + parts.descriptor().key() + " to " + peerKey + (known.isEmpty() ? " (not known here)" : "")
                        + ", " + question,
                parts.router().decide(question, peer).candidates());
    }

    private RoutePeer ask(EnginePeer peer) {
        CompletableFuture<RoutePeer> answer = peer.asRoutePeer();
        return Waiting.await(answer, TimeUnit.SECONDS.toNanos(1))
                ? answer.join()
                : new RoutePeer(peer.key(), peer.isPlain(), Optional.empty(), RoutePeer.Quarantines.NONE);
    }
}
