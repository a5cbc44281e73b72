package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.spi.RemoteMemory;
import java.nio.ByteBuffer;

/**
 * A peer's region.
 *
 * @param descriptor what it names
 * @param address its first byte, in the peer's address space
 * @param rkey its key
 */
record RemoteRegion(MemoryDescriptor descriptor, long address, int rkey) implements RemoteMemory {
    private static final byte VERSION = 1;
    private static final int BYTES = 13;

    static byte[] export(Region region) {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .putLong(region.spec().address())
                .putInt(region.mr().rkey())
                .array();
    }

    static RemoteRegion of(MemoryDescriptor descriptor, byte[] key) {
        if (key.length != BYTES || key[0] != VERSION) {
            throw new WeftException(
                    ErrorCode.DECODE_ERROR, "rdma: the peer's region key of " + key.length + " bytes cannot be read");
        }
        ByteBuffer in = ByteBuffer.wrap(key).position(1);
        return new RemoteRegion(descriptor, in.getLong(), in.getInt());
    }
}
