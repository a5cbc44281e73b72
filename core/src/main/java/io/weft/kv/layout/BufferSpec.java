package io.weft.kv.layout;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;

/**
 * One buffer of a rank: items of equal length, item {@code i} at {@code i * itemLen}.
 *
 * <p>Immutable. The memory stays the caller's, who keeps it alive until the manager is closed.
 *
 * @param address first address
 * @param length bytes of the whole buffer
 * @param itemLen bytes of one page, row or slot
 * @param location where the memory is
 * @since 0.1
 */
public record BufferSpec(long address, long length, long itemLen, MemoryLocation location) {
    /**
     * Checks the lengths.
     *
     * @throws WeftException INVALID_ARGUMENT if the length is no multiple of the item length
     */
    public BufferSpec {
        if (itemLen < 1 || length < itemLen || length % itemLen != 0) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "buffer of " + length + " bytes with items of " + itemLen + " bytes: must hold whole items");
        }
    }

    /**
     * How many items it holds.
     *
     * @return 1 or more
     */
    public int items() {
        return Math.toIntExact(length / itemLen);
    }
}
