package io.weft.telemetry;

import java.util.List;

/**
 * A peer, at the moment somebody looked. Immutable.
 *
 * @param key its wire key
 * @param address where it listens, empty if that is not known
 * @param plain whether it is a plain MORI-IO engine
 * @param state KNOWN, CONNECTING, UP, SUSPECT or LOST
 * @param answered false if a thread was busy with the peer for the whole time that was given to look: what follows is empty then
 * @param live transfers that have not ended
 * @param heldSegments their segments, which count against {@code weft.queue.segments}
 * @param links ways to it
 * @param oldest the oldest of the transfers, oldest first
 * @since 0.1
 */
public record PeerView(
        String key,
        String address,
        boolean plain,
        String state,
        boolean answered,
        int live,
        long heldSegments,
        List<LinkView> links,
        List<TransferView> oldest) {
    /** Copies the lists. */
    public PeerView {
        links = List.copyOf(links);
        oldest = List.copyOf(oldest);
    }
}
