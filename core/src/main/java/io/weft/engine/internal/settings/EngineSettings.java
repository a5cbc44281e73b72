package io.weft.engine.internal.settings;

import io.weft.api.RoutePolicy;
import java.util.List;

/**
 * Values of the engine's options. Times are nanoseconds.
 *
 * @param deadlineNanos default deadline of a transfer
 * @param windowBytes most bytes of one transfer that are posted and not complete
 * @param pieceBytes most bytes of one operation, where the peer does not count operations
 * @param linkWindowBytes most bytes of one link that are posted and not complete
 * @param stagingBytes most staging memory of the engine
 * @param queueTransfers most transfers to one peer that are not terminal
 * @param queueSegments most segments of these
 * @param connectNanos how long connecting may take
 * @param graceNanos how long the posted part of a cancelled transfer may go on before the link is broken
 * @param closeNanos how long {@code close()} lets transfers go on
 * @param deregisterNanos how long {@code Region.close()} lets transfers go on
 * @param quarantineNanos how long a backend that cannot reach a peer is left alone
 * @param routePolicy what to do when only a degraded route exists
 * @param order backends that come first, in this order
 * @param strictTrust whether backends that trust their peers are refused
 * @param plainNotifications whether plain MORI-IO peers are notified
 * @param notifications most unread notifications, and most unread ends of inbound transfers
 * @param notificationNanos how long these are kept
 * @param stallNanos after how long without progress a transfer is told to stall
 */
public record EngineSettings(
        long deadlineNanos,
        long windowBytes,
        long pieceBytes,
        long linkWindowBytes,
        long stagingBytes,
        int queueTransfers,
        long queueSegments,
        long connectNanos,
        long graceNanos,
        long closeNanos,
        long deregisterNanos,
        long quarantineNanos,
        RoutePolicy routePolicy,
        List<String> order,
        boolean strictTrust,
        boolean plainNotifications,
        int notifications,
        long notificationNanos,
        long stallNanos) {
    /** Copies the list. */
    public EngineSettings {
        order = List.copyOf(order);
    }
}
