package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * What a peer needs to reach a region, as bytes: version, whether the key is raw, the base of remote addresses, the key.
 *
 * @param raw whether the key must be mapped before use ({@code FI_MR_RAW})
 * @param base remote address of the region's first byte
 * @param key 8 bytes, or as many as the provider's raw keys have
 */
record RegionKey(boolean raw, long base, byte[] key) {
    private static final byte VERSION = 1;
    private static final int MOST = 1024;

    static RegionKey plain(long base, long key) {
        return new RegionKey(false, base, ByteBuffer.allocate(8).putLong(key).array());
    }

    long plainKey() {
        return ByteBuffer.wrap(key).getLong();
    }

    byte[] encode() {
        return ByteBuffer.allocate(12 + key.length)
                .put(VERSION)
                .put((byte) (raw ? 1 : 0))
                .putLong(base)
                .putShort((short) key.length)
                .put(key)
                .array();
    }

    static RegionKey decode(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            boolean raw = in.get() == 1;
            long base = in.getLong();
            int length = Short.toUnsignedInt(in.getShort());
            if (version != VERSION || length > MOST || length != in.remaining() || !raw && length != 8) {
                throw malformed(bytes.length);
            }
            byte[] key = new byte[length];
            in.get(key);
            return new RegionKey(raw, base, key);
        } catch (BufferUnderflowException truncated) {
            throw malformed(bytes.length);
        }
    }

    private static WeftException malformed(int length) {
        return new WeftException(
                ErrorCode.DECODE_ERROR,
                "libfabric: the peer's region key of " + length
                        + " bytes cannot be read; do both sides run the same version?");
    }
}
