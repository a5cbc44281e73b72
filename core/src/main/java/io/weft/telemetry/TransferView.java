package io.weft.telemetry;

/**
 * A transfer that has not ended, at the moment somebody looked. Immutable.
 *
 * @param id its id, as the target sees it
 * @param direction WRITE or READ
 * @param bytes bytes in all
 * @param segments segments after coalescing
 * @param waitsFor what it waits for, in words
 * @param posted operations posted and not complete
 * @param ageNanos time since the call
 * @param idleNanos time since anything of it moved
 * @param leftNanos time to its deadline, negative when that has passed
 * @param backend the backend of its link, empty before it has one
 * @param replays how often it was replayed over a rebuilt link
 * @since 0.1
 */
public record TransferView(
        long id,
        String direction,
        long bytes,
        int segments,
        String waitsFor,
        int posted,
        long ageNanos,
        long idleNanos,
        long leftNanos,
        String backend,
        int replays) {}
