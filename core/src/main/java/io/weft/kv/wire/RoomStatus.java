package io.weft.kv.wire;

/**
 * Prefill to decode, once per room: how the room ended at this prefill rank.
 *
 * @param room the room, unsigned
 * @param status 4 for success, 0 for failure; other values are carried and mean nothing
 * @param prefillRank unique rank of the sender
 * @param reason why it failed, empty when not said
 * @param extras what Weft adds: epoch, key, generation, quiescence, error code
 * @since 0.1
 */
public record RoomStatus(long room, int status, int prefillRank, String reason, Extras extras) implements KvMessage {
    /** Status of a room that failed. */
    public static final int FAILED = 0;
    /** Status of a room whose bytes are in place. */
    public static final int SUCCESS = 4;
}
