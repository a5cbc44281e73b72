package io.weft.engine.internal.peer;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.engine.NodeMarker;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.memory.RegionUsers;
import io.weft.spi.Peer;
import io.weft.spi.PeerDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All peers of an engine: those the application added, by key, and guests, which connected by themselves. A peer that
 * restarted is another peer with the same key. Safe from any thread; no call into a peer is made under the monitor.
 */
public final class PeerTable implements RegionUsers {
    /** A dash and 8 hex digits, see {@link io.weft.engine.Descriptors#wireKey}. */
    private static final int INCARNATION_CHARS = 9;

    private static final int MOST_PLAIN_GUESTS = 1_024;

    private final Map<String, EnginePeer> added = new ConcurrentHashMap<>();
    private final Map<Long, EnginePeer> byIncarnation = new ConcurrentHashMap<>();
    private final Map<ControlSession, EnginePeer> bySession = new ConcurrentHashMap<>();
    private final Map<String, EnginePeer> plainGuests = new HashMap<>();
    /** Removed or replaced, and not ended yet. */
    private final Set<EnginePeer> leaving = ConcurrentHashMap.newKeySet();

    private volatile @Nullable PeerServices services;

    /** Makes an empty table; {@link #start} must follow. */
    public PeerTable() {}

    /**
     * Gives the table what its peers share, which in turn knows the table.
     *
     * @param shared the services
     */
    public void start(PeerServices shared) {
        services = shared;
    }

    private PeerServices services() {
        PeerServices started = services;
        if (started == null) {
            throw new IllegalStateException("used before start");
        }
        return started;
    }

    /**
     * Makes a peer known.
     *
     * @param descriptor checked
     */
    public void add(EngineDescriptor descriptor) {
        EnginePeer old;
        synchronized (this) {
            old = added.get(descriptor.key());
            if (old != null && descriptor.equals(old.descriptor())) {
                return;
            }
            long incarnation = NodeMarker.parse(descriptor.nodeId())
                    .map(NodeMarker::incarnation)
                    .orElse(0L);
            EnginePeer guest = incarnation == 0 ? plainGuests.remove(descriptor.key()) : byIncarnation.get(incarnation);
            if (guest != null && guest.key().equals(descriptor.key())) {
                guest.describe(descriptor);
                added.put(descriptor.key(), guest);
            } else {
                EnginePeer fresh =
                        new EnginePeer(services(), descriptor.key(), incarnation, descriptor, "", this::forgetGuest);
                added.put(descriptor.key(), fresh);
                if (incarnation != 0) {
                    byIncarnation.put(incarnation, fresh);
                }
            }
            if (old == added.get(descriptor.key())) {
                return;
            }
        }
        if (old != null) {
            leave(
                    old,
                    TransferState.CANCELLED,
                    ErrorCode.CANCELLED,
                    "another descriptor with the same key replaced the peer");
        }
    }

    /**
     * Forgets a peer.
     *
     * @param key its key
     * @return completes when it has ended; at once if it is not known
     */
    public CompletableFuture<Void> remove(String key) {
        EnginePeer old = added.remove(key);
        return old == null
                ? CompletableFuture.completedFuture(null)
                : leave(old, TransferState.CANCELLED, ErrorCode.CANCELLED, "the peer was removed");
    }

    private CompletableFuture<Void> leave(EnginePeer peer, TransferState end, ErrorCode code, String text) {
        leaving.add(peer);
        if (!peer.isPlain()) {
            byIncarnation.remove(peer.incarnation(), peer);
        }
        return peer.close(end, code, text).thenRun(() -> leaving.remove(peer));
    }

    private void forgetGuest(EnginePeer peer) {
        if (added.get(peer.key()) != peer) {
            byIncarnation.remove(peer.incarnation(), peer);
        }
    }

    /**
     * Looks a peer up that transfers may name.
     *
     * @param key its key
     * @return the peer that the application added, null if it did not
     */
    public @Nullable EnginePeer find(String key) {
        return added.get(key);
    }

    /**
     * Finds a peer whose key differs only in the incarnation.
     *
     * @param key a key that is not known
     * @return the other key, empty if there is none
     */
    public String otherIncarnation(String key) {
        int dash = key.length() - INCARNATION_CHARS;
        if (dash < 1 || key.charAt(dash) != '-') {
            return "";
        }
        String name = key.substring(0, dash + 1);
        return added.keySet().stream()
                .filter(other -> other.length() == key.length() && other.startsWith(name))
                .findAny()
                .orElse("");
    }

    /**
     * Looks a peer up by key, guests included.
     *
     * @param key its key
     * @return the peer with a session first
     */
    public Optional<EnginePeer> findAny(String key) {
        EnginePeer known = added.get(key);
        if (known != null && (known.isPlain() || known.sharedSession() != null)) {
            return Optional.of(known);
        }
        for (EnginePeer each : byIncarnation.values()) {
            if (each.key().equals(key) && each.sharedSession() != null) {
                return Optional.of(each);
            }
        }
        synchronized (this) {
            EnginePeer guest = plainGuests.get(key);
            return Optional.ofNullable(guest == null ? known : guest);
        }
    }

    /**
     * A session began.
     *
     * @param session the session
     */
    public void opened(ControlSession session) {
        Hello hello = session.peer();
        EnginePeer peer = byIncarnation.computeIfAbsent(
                hello.incarnation(),
                incarnation -> new EnginePeer(services(), hello.key(), incarnation, null, "", this::forgetGuest));
        bySession.put(session, peer);
        peer.sessionOpened(session);
    }

    /**
     * The peer at the other end of a session.
     *
     * @param session a session that began and has not ended
     * @return the peer
     * @throws WeftException PEER_LOST if the session has ended
     */
    public EnginePeer of(ControlSession session) {
        EnginePeer peer = bySession.get(session);
        if (peer == null) {
            throw new WeftException(
                    ErrorCode.PEER_LOST, "answer peer " + session.peer().key() + ": its session has ended");
        }
        return peer;
    }

    /**
     * A session ended.
     *
     * @param session the session
     * @param code why
     * @param text what happened
     */
    public void closed(ControlSession session, ErrorCode code, String text) {
        EnginePeer peer = bySession.remove(session);
        if (peer != null) {
            peer.sessionClosed(session, code, text);
        }
    }

    /**
     * Admits a plain engine that connected by itself.
     *
     * @param key what it calls itself
     * @param remoteAddress where it comes from
     * @return the peer
     * @throws WeftException RESOURCE_EXHAUSTED if there are too many
     */
    public synchronized EnginePeer admitPlain(String key, String remoteAddress) {
        EnginePeer known = added.get(key);
        if (known != null && known.isPlain()) {
            return known;
        }
        if (plainGuests.size() >= MOST_PLAIN_GUESTS && !plainGuests.containsKey(key)) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "admit plain engine " + key + " from " + remoteAddress + ": " + MOST_PLAIN_GUESTS
                            + " others connected by themselves; add the peers that are wanted");
        }
        return plainGuests.computeIfAbsent(
                key, name -> new EnginePeer(services(), name, 0, null, remoteAddress, this::forgetGuest));
    }

    /**
     * The directory that backends get.
     *
     * @param backendIndex which backend asks
     * @param plainRefusal why a plain engine of that key is not admitted, empty if it is
     * @return a directory
     */
    public PeerDirectory directory(int backendIndex, Function<String, String> plainRefusal) {
        return new PeerDirectory() {
            @Override
            public Optional<Peer> find(String key) {
                return findAny(key).map(this::view);
            }

            @Override
            public Peer admitPlain(String key, String remoteAddress) {
                String refusal = plainRefusal.apply(key);
                if (!refusal.isEmpty()) {
                    throw new WeftException(ErrorCode.AUTHENTICATION, refusal);
                }
                return view(PeerTable.this.admitPlain(key, remoteAddress));
            }

            private Peer view(EnginePeer peer) {
                return peer.view(services().backends().get(backendIndex));
            }
        };
    }

    /**
     * Every peer.
     *
     * @return a snapshot, leaving ones included
     */
    public List<EnginePeer> all() {
        Set<EnginePeer> all = new HashSet<>(added.values());
        all.addAll(byIncarnation.values());
        all.addAll(leaving);
        synchronized (this) {
            all.addAll(plainGuests.values());
        }
        return new ArrayList<>(all);
    }

    @Override
    public CompletableFuture<Void> unused(LocalRegion region) {
        return CompletableFuture.allOf(
                all().stream().map(peer -> peer.unused(region)).toArray(CompletableFuture[]::new));
    }

    @Override
    public void cancelUses(LocalRegion region, String text) {
        all().forEach(peer -> peer.cancelUses(region, text));
    }
}
