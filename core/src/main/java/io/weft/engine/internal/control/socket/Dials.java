package io.weft.engine.internal.control.socket;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.NodeMarker;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Connections on their way out: at most one for each incarnation, whoever asks for it. Confined to the I/O thread, except
 * {@link #connect}.
 */
final class Dials {
    final Shared shared;
    final Sessions sessions;
    final ByteBuffer buffer;
    final SecureRandom random;
    private final Map<Long, Dial> running = new HashMap<>();
    private boolean over;

    Dials(Shared shared, Sessions sessions, ByteBuffer buffer, SecureRandom random) {
        this.shared = shared;
        this.sessions = sessions;
        this.buffer = buffer;
        this.random = random;
    }

    /** From any thread. */
    CompletableFuture<PeerSession> connect(EngineDescriptor peer, NodeMarker marker, long deadlineNanos) {
        CompletableFuture<PeerSession> result = new CompletableFuture<>();
        shared.loop()
                .execute(() -> begin(peer, marker, deadlineNanos).whenComplete((session, failed) -> {
                    if (failed == null) {
                        result.complete(session);
                    } else {
                        result.completeExceptionally(failed);
                    }
                }));
        return result;
    }

    private CompletableFuture<PeerSession> begin(EngineDescriptor peer, NodeMarker marker, long deadlineNanos) {
        PeerSession live = sessions.find(marker.incarnation());
        if (live != null && !live.closeIfAsked()) {
            return live.opened();
        }
        if (over) {
            return CompletableFuture.failedFuture(
                    new WeftException(ErrorCode.CLOSED, "connect to engine " + peer.key() + ": this engine is closed"));
        }
        Dial dial = running.get(marker.incarnation());
        if (dial == null) {
            dial = new Dial(this, peer, marker, deadlineNanos);
            running.put(marker.incarnation(), dial);
            dial.attempt();
        } else {
            dial.extend(deadlineNanos);
        }
        shared.loop().wakeBefore(deadlineNanos);
        return dial.result();
    }

    /** Whether a dial from here has got so far that the peer may take it for the session. */
    boolean isDecided(long incarnation) {
        Dial dial = running.get(incarnation);
        return dial != null && dial.isHelloSent();
    }

    /** The peer dialled here meanwhile: that is the session that was wanted. */
    void adopt(PeerSession session) {
        Dial dial = running.get(session.peer().incarnation());
        if (dial != null) {
            dial.adopt(session);
        }
    }

    void done(Dial dial) {
        running.remove(dial.incarnation(), dial);
    }

    /** Returns when to be called again at the latest. */
    long tick(long now) {
        long next = Long.MAX_VALUE;
        for (Dial dial : new ArrayList<>(running.values())) {
            long due = dial.tick(now);
            next = next == Long.MAX_VALUE || due - next < 0 ? due : next;
        }
        return next;
    }

    void end() {
        over = true;
        new ArrayList<>(running.values())
                .forEach(dial -> dial.fail(ErrorCode.CLOSED, "this engine was closed meanwhile"));
    }
}
