package io.weft.api;

/**
 * Counts of an engine since it was opened. At rest {@code started == succeeded + failed + cancelled + inFlight}
 * (rule OBS-1).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param started transfers that a call returned
 * @param succeeded ended SUCCEEDED
 * @param failed ended FAILED
 * @param cancelled ended CANCELLED
 * @param inFlight not terminal
 * @param bytes bytes of succeeded transfers
 * @param notificationsDropped notifications lost to bounds of count or age (rule NOT-3)
 * @param registeredBytes bytes registered now
 * @since 0.1
 */
public record EngineStats(
        long started,
        long succeeded,
        long failed,
        long cancelled,
        long inFlight,
        long bytes,
        long notificationsDropped,
        long registeredBytes) {}
