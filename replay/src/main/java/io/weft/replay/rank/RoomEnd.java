package io.weft.replay.rank;

/**
 * How a room ended at one rank.
 *
 * @param success whether it succeeded there
 * @param bytes bytes that the rank counts for it
 * @param code contract name of the failure, empty if it has none
 * @param reason why it failed, empty for success
 */
public record RoomEnd(boolean success, long bytes, String code, String reason) {
    static RoomEnd failed(String reason) {
        return new RoomEnd(false, 0, "PEER_LOST", reason);
    }
}
