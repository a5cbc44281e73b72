package io.weft.engine.internal.inbound;

import io.weft.api.Notification;
import io.weft.engine.internal.transfer.Callbacks;
import io.weft.spi.EngineClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifications that nobody took yet (rule NOT-3): when there are too many, or one is too old, the oldest are dropped and
 * counted. With a listener each peer's are handed over one at a time. Safe from any thread.
 */
public final class NotificationQueue {
    private record Kept(Notification notification, long arrived) {}

    private final EngineClock clock;
    private final int most;
    private final long longestNanos;
    private final Callbacks callbacks;
    private final ArrayDeque<Kept> queue = new ArrayDeque<>();
    private final Map<String, ArrayDeque<Notification>> deliveries = new HashMap<>();
    private @Nullable Consumer<? super Notification> listener;
    private int undelivered;
    private long dropped;

    /**
     * Makes an empty queue.
     *
     * @param clock tells the age
     * @param most notifications that are kept
     * @param longestNanos how long one is kept
     * @param callbacks runs the listener
     */
    public NotificationQueue(EngineClock clock, int most, long longestNanos, Callbacks callbacks) {
        this.clock = clock;
        this.most = most;
        this.longestNanos = longestNanos;
        this.callbacks = callbacks;
    }

    /**
     * A notification arrived.
     *
     * @param notification it
     */
    public void add(Notification notification) {
        synchronized (this) {
            if (listener == null) {
                expire();
                if (queue.size() >= most) {
                    queue.removeFirst();
                    dropped++;
                }
                queue.addLast(new Kept(notification, clock.nanos()));
                return;
            }
            if (!isFirstOfPeer(notification)) {
                return;
            }
        }
        deliverNext(notification.peerKey()); // without the lock: an executor may run the listener at once
    }

    /**
     * Takes the oldest.
     *
     * @param max most to take
     * @return in arrival order
     */
    public synchronized List<Notification> take(int max) {
        expire();
        List<Notification> taken = new ArrayList<>();
        while (taken.size() < max && !queue.isEmpty()) {
            taken.add(queue.removeFirst().notification);
        }
        return taken;
    }

    /**
     * Sends everything to a listener from now on, what is queued first.
     *
     * @param to the listener
     */
    public void listen(Consumer<? super Notification> to) {
        List<String> peers = new ArrayList<>();
        synchronized (this) {
            listener = to;
            expire();
            while (!queue.isEmpty()) {
                Notification next = queue.removeFirst().notification;
                if (isFirstOfPeer(next)) {
                    peers.add(next.peerKey());
                }
            }
        }
        peers.forEach(this::deliverNext);
    }

    /**
     * Notifications lost to the bounds.
     *
     * @return a count
     */
    public synchronized long dropped() {
        expire();
        return dropped;
    }

    private void expire() {
        long now = clock.nanos();
        while (!queue.isEmpty() && now - queue.getFirst().arrived > longestNanos) {
            queue.removeFirst();
            dropped++;
        }
    }

    /** Puts a notification behind those of its peer; true if there are none and its delivery has to be started. */
    private boolean isFirstOfPeer(Notification notification) {
        if (undelivered >= most) {
            dropped++; // the listener is stuck; data goes on
            return false;
        }
        undelivered++;
        ArrayDeque<Notification> ofPeer = deliveries.get(notification.peerKey());
        if (ofPeer != null) {
            ofPeer.addLast(notification);
            return false;
        }
        deliveries.put(notification.peerKey(), new ArrayDeque<>(List.of(notification)));
        return true;
    }

    private void deliverNext(String peerKey) {
        callbacks.run("the notification listener", () -> {
            Notification next;
            Consumer<? super Notification> to;
            synchronized (this) {
                ArrayDeque<Notification> ofPeer = deliveries.get(peerKey);
                if (ofPeer == null || listener == null) {
                    return;
                }
                next = ofPeer.removeFirst();
                to = listener;
            }
            try {
                to.accept(next);
            } finally {
                goOn(peerKey);
            }
        });
    }

    private void goOn(String peerKey) {
        synchronized (this) {
            undelivered--;
            ArrayDeque<Notification> ofPeer = deliveries.get(peerKey);
            if (ofPeer == null || ofPeer.isEmpty()) {
                deliveries.remove(peerKey);
                return;
            }
        }
        deliverNext(peerKey);
    }
}
