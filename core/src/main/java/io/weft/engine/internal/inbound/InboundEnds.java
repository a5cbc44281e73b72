package io.weft.engine.internal.inbound;

import io.weft.api.InboundTransfer;
import io.weft.spi.EngineClock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Ends of inbound transfers that nobody took yet (rule IN-1): each is handed out once; when there are too many, or one is too
 * old, the oldest go. Safe from any thread.
 */
public final class InboundEnds {
    private record Name(String peerKey, long transferId) {}

    private record Kept(InboundTransfer end, long arrived) {}

    private final EngineClock clock;
    private final int most;
    private final long longestNanos;
    private final Map<Name, Kept> ends = new LinkedHashMap<>();

    /**
     * Makes an empty store.
     *
     * @param clock tells the age
     * @param most ends that are kept
     * @param longestNanos how long one is kept
     */
    public InboundEnds(EngineClock clock, int most, long longestNanos) {
        this.clock = clock;
        this.most = most;
        this.longestNanos = longestNanos;
    }

    /**
     * A transfer ended at its initiator.
     *
     * @param end the end; a second one of the same transfer is ignored while the first is kept
     */
    public synchronized void add(InboundTransfer end) {
        expire();
        if (ends.putIfAbsent(new Name(end.peerKey(), end.transferId()), new Kept(end, clock.nanos())) == null
                && ends.size() > most) {
            Iterator<Kept> oldest = ends.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * Takes an end.
     *
     * @param peerKey the initiator
     * @param transferId its transfer id
     * @return the end, empty if it is not here
     */
    public synchronized Optional<InboundTransfer> take(String peerKey, long transferId) {
        expire();
        return Optional.ofNullable(ends.remove(new Name(peerKey, transferId))).map(Kept::end);
    }

    private void expire() {
        long now = clock.nanos();
        Iterator<Kept> oldest = ends.values().iterator();
        while (oldest.hasNext() && now - oldest.next().arrived > longestNanos) {
            oldest.remove();
        }
    }
}
