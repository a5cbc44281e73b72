package io.weft.telemetry;

import java.util.List;

/**
 * An engine at the moment somebody looked. Immutable. Peers are looked at one after another, so what they say of each other may
 * be a moment apart.
 *
 * @param key its wire key
 * @param address where it listens
 * @param backends open backends
 * @param inFlight transfers that have not ended
 * @param started transfers that were ever started
 * @param failed transfers that failed
 * @param registeredBytes bytes of memory registered now
 * @param peers peers with transfers first; no more than were asked for
 * @param peersLeftOut peers beyond that
 * @since 0.1
 */
public record EngineView(
        String key,
        String address,
        List<String> backends,
        long inFlight,
        long started,
        long failed,
        long registeredBytes,
        List<PeerView> peers,
        int peersLeftOut) {
    /** Copies the lists. */
    public EngineView {
        backends = List.copyOf(backends);
        peers = List.copyOf(peers);
    }
}
