package io.weft.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one transfer is to be carried out. {@link #DEFAULT} is right for most; {@code with...} methods return changed
 * copies. Keep and share instances: making one allocates, passing one does not.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class TransferOptions {
    /** Most bytes a notification may have (rule NOT-1). */
    public static final int MAX_NOTIFICATION_BYTES = 4096;

    /** The engine's default deadline, {@link Priority#NORMAL}, no notification, the engine's route policy. */
    public static final TransferOptions DEFAULT =
            new TransferOptions(null, Priority.NORMAL, null, null, null, 0, false);

    private final @Nullable Duration deadline;
    private final Priority priority;
    private final byte @Nullable [] notification;
    private final @Nullable ReadyEvent readyWhen;
    private final @Nullable RoutePolicy routePolicy;
    private final long transferId;
    private final boolean hasTransferId;

    private TransferOptions(
            @Nullable Duration deadline,
            Priority priority,
            byte @Nullable [] notification,
            @Nullable ReadyEvent readyWhen,
            @Nullable RoutePolicy routePolicy,
            long transferId,
            boolean hasTransferId) {
        this.deadline = deadline;
        this.priority = priority;
        this.notification = notification;
        this.readyWhen = readyWhen;
        this.routePolicy = routePolicy;
        this.transferId = transferId;
        this.hasTransferId = hasTransferId;
    }

    /**
     * Sets the deadline, counted from the call (rule DL-1).
     *
     * @param value a positive duration; zero or less makes the transfer fail with {@link ErrorCode#INVALID_ARGUMENT}
     * @return a copy
     */
    public TransferOptions withDeadline(Duration value) {
        Objects.requireNonNull(value, "deadline");
        return new TransferOptions(value, priority, notification, readyWhen, routePolicy, transferId, hasTransferId);
    }

    /**
     * Sets the priority class.
     *
     * @param value the class
     * @return a copy
     */
    public TransferOptions withPriority(Priority value) {
        Objects.requireNonNull(value, "priority");
        return new TransferOptions(deadline, value, notification, readyWhen, routePolicy, transferId, hasTransferId);
    }

    /**
     * Asks to notify the target after completion (rules NOT-1 to NOT-4).
     *
     * @param payload 0 to {@value #MAX_NOTIFICATION_BYTES} bytes, copied; more makes the transfer fail with
     *     {@link ErrorCode#INVALID_ARGUMENT}
     * @return a copy
     */
    public TransferOptions withNotification(byte[] payload) {
        return new TransferOptions(
                deadline, priority, payload.clone(), readyWhen, routePolicy, transferId, hasTransferId);
    }

    /**
     * Gates the read of the source.
     *
     * @param event becomes ready when the source may be read
     * @return a copy
     */
    public TransferOptions withReadyWhen(ReadyEvent event) {
        Objects.requireNonNull(event, "readyWhen");
        return new TransferOptions(deadline, priority, notification, event, routePolicy, transferId, hasTransferId);
    }

    /**
     * Overrides the engine's route policy.
     *
     * @param value the policy
     * @return a copy
     */
    public TransferOptions withRoutePolicy(RoutePolicy value) {
        Objects.requireNonNull(value, "routePolicy");
        return new TransferOptions(deadline, priority, notification, readyWhen, value, transferId, hasTransferId);
    }

    /**
     * Sets the id under which the target sees the transfer, instead of one from the engine.
     *
     * @param id any 64-bit value, unique among live transfers to that peer
     * @return a copy
     */
    public TransferOptions withTransferId(long id) {
        return new TransferOptions(deadline, priority, notification, readyWhen, routePolicy, id, true);
    }

    /**
     * The deadline.
     *
     * @return the duration, empty for the engine's default
     */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(deadline);
    }

    /**
     * The priority class.
     *
     * @return the class
     */
    public Priority priority() {
        return priority;
    }

    /**
     * Whether to notify.
     *
     * @return true if a notification was asked for, an empty one included
     */
    public boolean notifies() {
        return notification != null;
    }

    /**
     * The notification's payload.
     *
     * @return a copy, empty when none was asked for
     */
    public byte[] notificationPayload() {
        return notification == null ? new byte[0] : notification.clone();
    }

    /**
     * Length of the notification without copying it.
     *
     * @return bytes, 0 when none was asked for
     */
    public int notificationBytes() {
        return notification == null ? 0 : notification.length;
    }

    /**
     * The gate.
     *
     * @return the event or null
     */
    public @Nullable ReadyEvent readyWhen() {
        return readyWhen;
    }

    /**
     * The route policy.
     *
     * @return the policy, empty for the engine's
     */
    public Optional<RoutePolicy> routePolicy() {
        return Optional.ofNullable(routePolicy);
    }

    /**
     * Whether the caller chose the id.
     *
     * @return true after {@link #withTransferId}
     */
    public boolean hasTransferId() {
        return hasTransferId;
    }

    /**
     * The caller's id.
     *
     * @return the id, meaningful only if {@link #hasTransferId()}
     */
    public long transferId() {
        return transferId;
    }
}
