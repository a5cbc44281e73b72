package io.weft.tck.harness;

import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;

/**
 * A registered region with known content, on either side.
 *
 * @param owner the engine it is registered with
 * @param handle its handle there
 * @param length bytes
 * @param descriptor what peers name it by
 */
public record Block(Target owner, int handle, long length, MemoryDescriptor descriptor) {
    /**
     * The region itself.
     *
     * @return the region
     * @throws ClassCastException if the owner is in another process
     */
    public Region region() {
        return ((EngineTarget) owner).region(handle);
    }

    /**
     * All bytes as the owner sees them.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return owner.get(handle, 0, Math.toIntExact(length));
    }

    /**
     * Stores.
     *
     * @param offset first byte
     * @param bytes what to store
     */
    public void put(long offset, byte[] bytes) {
        owner.put(handle, offset, bytes);
    }

    /**
     * Fills the block with the bytes of a seed.
     *
     * @param seed the seed
     * @return the bytes
     */
    public byte[] fill(long seed) {
        byte[] bytes = Pattern.bytes(seed, Math.toIntExact(length));
        put(0, bytes);
        return bytes;
    }
}
