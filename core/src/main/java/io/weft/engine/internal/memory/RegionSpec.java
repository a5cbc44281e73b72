package io.weft.engine.internal.memory;

import io.weft.api.Access;
import io.weft.api.MemoryLocation;
import io.weft.spi.MemorySpec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/**
 * A checked region, as backends get it.
 *
 * @param regionId the id in this incarnation
 * @param address first address
 * @param length bytes, at least 1
 * @param location kind and device
 * @param access the rights
 * @param segment host memory, empty for device memory
 */
public record RegionSpec(
        int regionId,
        long address,
        long length,
        MemoryLocation location,
        Set<Access> access,
        Optional<MemorySegment> segment)
        implements MemorySpec {}
