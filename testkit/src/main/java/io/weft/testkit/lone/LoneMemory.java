package io.weft.testkit.lone;

import io.weft.api.Access;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.spi.MemorySpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/**
 * Host memory as core would describe it to a backend.
 *
 * @param regionId the region's id
 * @param bytes native memory of a shared or global scope
 * @param access the rights
 */
public record LoneMemory(int regionId, MemorySegment bytes, Set<Access> access) implements MemorySpec {
    /** Copies the rights. */
    public LoneMemory {
        access = Set.copyOf(access);
    }

    /**
     * Memory with all rights.
     *
     * @param regionId the region's id
     * @param bytes native memory
     */
    public LoneMemory(int regionId, MemorySegment bytes) {
        this(regionId, bytes, Access.ALL);
    }

    /**
     * What a peer gets to name it.
     *
     * @param ownerKey wire key of the owner
     * @return the descriptor
     */
    public MemoryDescriptor descriptor(String ownerKey) {
        return MemoryDescriptor.builder()
                .engineKey(ownerKey)
                .id(regionId)
                .range(address(), length())
                .location(1)
                .build();
    }

    @Override
    public long address() {
        return bytes.address();
    }

    @Override
    public long length() {
        return bytes.byteSize();
    }

    @Override
    public MemoryLocation location() {
        return MemoryLocation.HOST;
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.of(bytes);
    }
}
