package io.weft.engine.internal.memory;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an engine tells a peer of a region besides the backend's own key, so that the initiator knows true bounds and rights
 * (rule SEC-1a) and not what a descriptor claims.
 *
 * <p>Wire form: version 1, rights, address and length big-endian, length of the kind, the kind in ASCII, the backend's key to
 * the end. Later versions append behind the kind by raising the version, which older readers refuse.
 *
 * @param access the region's rights
 * @param address first address at its owner
 * @param length bytes
 * @param kind memory kind
 * @param key the backend's own bytes
 */
public record ExportedKey(Set<Access> access, long address, long length, MemoryKind kind, byte[] key) {
    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + 1 + 8 + 8 + 1;

    /** Most bytes that this adds to a backend's key. */
    public static final int MAX_OVERHEAD = FIXED_BYTES + 32;

    /**
     * Writes the wire form.
     *
     * @return new bytes
     */
    public byte[] encode() {
        byte[] name = kind.id().getBytes(StandardCharsets.US_ASCII);
        int rights = 0;
        for (Access right : access) {
            rights |= 1 << right.ordinal();
        }
        return ByteBuffer.allocate(FIXED_BYTES + name.length + key.length)
                .put(VERSION)
                .put((byte) rights)
                .putLong(address)
                .putLong(length)
                .put((byte) name.length)
                .put(name)
                .put(key)
                .array();
    }

    /**
     * Reads the wire form.
     *
     * @param bytes what a peer sent
     * @return the key
     * @throws WeftException PROTOCOL for anything malformed
     */
    public static ExportedKey decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < FIXED_BYTES || in.get() != VERSION) {
            throw malformed(bytes, "version or length");
        }
        byte rights = in.get();
        long address = in.getLong();
        long length = in.getLong();
        byte[] name = new byte[Byte.toUnsignedInt(in.get())];
        if (length < 1 || name.length > in.remaining()) {
            throw malformed(bytes, "length of region or kind");
        }
        in.get(name);
        byte[] key = new byte[in.remaining()];
        in.get(key);
        Set<Access> access = EnumSet.noneOf(Access.class);
        for (Access right : Access.values()) {
            if ((rights >> right.ordinal() & 1) == 1) {
                access.add(right);
            }
        }
        try {
            return new ExportedKey(
                    access, address, length, new MemoryKind(new String(name, StandardCharsets.US_ASCII)), key);
        } catch (IllegalArgumentException badName) {
            throw malformed(bytes, "memory kind");
        }
    }

    private static WeftException malformed(byte[] bytes, String what) {
        return new WeftException(
                ErrorCode.PROTOCOL,
                "read a region's key of " + bytes.length + " bytes: the " + what
                        + " is wrong; the peer's Weft is newer than this one or defective");
    }

    /** Never shows the key (rule SEC-4). */
    @Override
    public String toString() {
        return "ExportedKey[" + access + " " + length + " bytes " + kind + "]";
    }
}
