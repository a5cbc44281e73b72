package io.weft.kv;

import java.util.Map;

/**
 * Counts and table sizes of a manager.
 *
 * @param succeeded rooms that ended well
 * @param failed rooms that failed
 * @param bytes bytes handed to the fabric (prefill)
 * @param rejected messages that changed nothing: malformed, unknown, stale or foreign
 * @param droppedMessages own messages that no queue took
 * @param droppedIndices state indices left out because the other side named fewer
 * @param leasesByState leases that are not released, by state
 * @param tables sizes of tables by name; all rooms ended and cleared means that rooms and trackers read 0
 * @since 0.1
 */
public record KvStats(
        long succeeded,
        long failed,
        long bytes,
        long rejected,
        long droppedMessages,
        long droppedIndices,
        Map<LeaseState, Integer> leasesByState,
        Map<String, Integer> tables) {}
