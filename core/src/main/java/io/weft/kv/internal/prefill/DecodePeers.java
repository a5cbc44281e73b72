package io.weft.kv.internal.prefill;

import io.weft.api.EngineDescriptor;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.kv.RankConfig;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decode ranks that registered, by engine key. A rank that registers again replaces itself; one that registers at the
 * address of another key is that one's successor. Bounded: the longest unused is forgotten. Safe from any thread.
 */
final class DecodePeers {
    private final TransferEngine engine;
    private final RankConfig config;
    private final LocalBuffers local;
    private final int limit;
    private final LinkedHashMap<String, Entry> byKey = new LinkedHashMap<>(16, 0.75f, true);

    /** Either a usable peer or why it is refused. */
    record Entry(
            String key,
            NetworkAddress address,
            @Nullable DecodePeer peer,
            @Nullable WeftException refusal) {
        /** The refusal as a new exception, because one that was thrown elsewhere tells the wrong place. */
        WeftException refused() {
            WeftException cause = Objects.requireNonNull(refusal, "refusal");
            return new WeftException(cause.code(), String.valueOf(cause.getMessage()), cause);
        }
    }

    DecodePeers(TransferEngine engine, RankConfig config, LocalBuffers local, int limit) {
        this.engine = engine;
        this.config = config;
        this.local = local;
        this.limit = limit;
    }

    /**
     * Takes a registration.
     *
     * @return the entry; one with a refusal if the layouts do not fit, which every room of that peer then fails with
     * @throws WeftException DECODE_ERROR if not even the engine can be read
     */
    Entry register(PeerRegistration registration) {
        EngineDescriptor descriptor = DecodePeer.engineOf(registration);
        Entry entry = entry(descriptor, registration);
        List<String> gone = new ArrayList<>();
        synchronized (byKey) {
            byKey.values().removeIf(old -> {
                boolean successor =
                        old.address().equals(entry.address()) && !old.key().equals(entry.key());
                if (successor) {
                    gone.add(old.key());
                }
                return successor;
            });
            byKey.put(entry.key(), entry);
            while (byKey.size() > limit) {
                gone.add(byKey.pollFirstEntry().getKey());
            }
        }
        gone.forEach(engine::removePeer);
        return entry;
    }

    /** Finds a peer and counts it as used. */
    Optional<Entry> find(String key) {
        synchronized (byKey) {
            return Optional.ofNullable(byKey.get(key));
        }
    }

    /** Finds the key of the peer at an address, for messages that do not name it. */
    Optional<String> keyAt(NetworkAddress address) {
        synchronized (byKey) {
            return byKey.values().stream()
                    .filter(e -> e.address().equals(address))
                    .map(Entry::key)
                    .findFirst();
        }
    }

    int size() {
        synchronized (byKey) {
            return byKey.size();
        }
    }

    private Entry entry(EngineDescriptor descriptor, PeerRegistration registration) {
        NetworkAddress address = new NetworkAddress(registration.host(), registration.port());
        try {
            DecodePeer peer = new DecodePeer(descriptor, registration, config, local);
            engine.addPeer(descriptor);
            return new Entry(descriptor.key(), address, peer, null);
        } catch (WeftException refusal) {
            return new Entry(descriptor.key(), address, null, refusal);
        }
    }
}
