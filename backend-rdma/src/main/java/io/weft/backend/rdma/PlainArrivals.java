package io.weft.backend.rdma;

import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.Notification;
import io.weft.spi.InboundSink;
import io.weft.spi.Metrics;
import io.weft.spi.Peer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts the notifications of one plain engine together: a transfer has arrived when each queue pair of the engine's session brought
 * its own. Thread-safe; taken from by one progress thread.
 */
final class PlainArrivals implements Inbox.Arrivals {
    /** Transfers of which some are there and some are not; the oldest is forgotten. */
    private static final int MOST_PARTIAL = 4_096;

    private final Peer peer;
    private final InboundSink sink;
    private final Metrics.Counter malformed;
    private final Metrics.Counter forgotten;
    private final Map<Long, Integer> missing = new LinkedHashMap<>();

    PlainArrivals(Peer peer, InboundSink sink, Metrics metrics) {
        this.peer = peer;
        this.sink = sink;
        malformed = metrics.counter("malformed");
        forgotten = metrics.counter("plain.notifications.forgotten");
    }

    @Override
    public void onNotification(Notification notification) {
        if (isLast(notification)) {
            sink.onInbound(peer, notification.transfer(), 0, "");
        }
    }

    private synchronized boolean isLast(Notification notification) {
        if (notification.total() == 1) {
            return true;
        }
        int left = missing.getOrDefault(notification.transfer(), notification.total()) - 1;
        missing.remove(notification.transfer());
        if (left > 0) {
            if (missing.size() == MOST_PARTIAL) {
                missing.remove(missing.keySet().iterator().next());
                forgotten.add(1);
            }
            missing.put(notification.transfer(), left);
        }
        return left <= 0;
    }

    @Override
    public void onMalformed(WeftException why) {
        malformed.add(1);
    }
}
