package io.weft.kv.wire;

/**
 * Decode to prefill: the decode rank gave the room up.
 *
 * @param room the room, unsigned
 * @param host the decode rank's control address
 * @param port the decode rank's control port
 * @param extras what Weft adds: epoch, key, generation
 * @since 0.1
 */
public record RoomAbort(long room, String host, int port, Extras extras) implements KvMessage {}
