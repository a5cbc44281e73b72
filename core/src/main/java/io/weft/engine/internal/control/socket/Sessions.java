package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.Handshake.Established;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The live sessions: one for each pair of incarnations (rule PEER-5) and one for each wire key. Changed on the I/O thread, read
 * from any.
 */
final class Sessions {
    private static final int REMEMBERED = 4_096;

    private final Shared shared;
    private final Map<Long, PeerSession> byIncarnation = new ConcurrentHashMap<>();
    private final Map<String, PeerSession> byKey = new ConcurrentHashMap<>();
    /** The last session with an incarnation, so that a peer can tell one that it has lost from one it has not heard of yet. */
    private final Map<Long, Long> lastIds = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    Sessions(Shared shared) {
        this.shared = shared;
    }

    @Nullable
    PeerSession find(String key) {
        return byKey.get(key);
    }

    @Nullable
    PeerSession find(long incarnation) {
        return byIncarnation.get(incarnation);
    }

    /** 0 if there was none. */
    long lastId(long incarnation) {
        return lastIds.getOrDefault(incarnation, 0L);
    }

    int size() {
        return byIncarnation.size();
    }

    List<PeerSession> all() {
        return new ArrayList<>(byIncarnation.values());
    }

    /**
     * Makes a connection whose handshake is done a session. What it replaces, an older connection to the same incarnation or an
     * older incarnation of the same key, ends first.
     */
    PeerSession establish(Connection connection, Established established, Hello mine) {
        Hello peer = established.content().hello();
        CompletableFuture<Void> before = CompletableFuture.allOf(
                replace(byIncarnation.get(peer.incarnation()), "the peer dialled anew"),
                replace(
                        byKey.get(peer.key()),
                        "the peer came back as incarnation " + Long.toHexString(peer.incarnation())));
        PeerSession session = new PeerSession(shared, connection, established, mine, this::size, this::remove);
        byIncarnation.put(peer.incarnation(), session);
        byKey.put(peer.key(), session);
        lastIds.put(peer.incarnation(), session.id());
        connection.become(session);
        shared.counters().sessionsOpened().add(1);
        session.start(before);
        shared.loop().wakeBefore(session.firstTick());
        return session;
    }

    private static CompletableFuture<Void> replace(@Nullable PeerSession old, String why) {
        if (old == null) {
            return CompletableFuture.completedFuture(null);
        }
        old.end(ErrorCode.PEER_LOST, "peer " + old.peer().key() + ": " + why);
        return old.closed();
    }

    private void remove(PeerSession session) {
        byIncarnation.remove(session.peer().incarnation(), session);
        byKey.remove(session.peer().key(), session);
    }
}
