package io.weft.kv.wire;

/**
 * Prefill to decode: one row of one aux buffer, by message instead of over the fabric.
 *
 * @param room the room, unsigned
 * @param buffer which aux buffer
 * @param row which row of it
 * @param data the row
 * @param extras what Weft adds: epoch, key, generation
 * @since 0.1
 */
public record AuxData(long room, int buffer, int row, byte[] data, Extras extras) implements KvMessage {}
