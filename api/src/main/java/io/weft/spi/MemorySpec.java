package io.weft.spi;

import io.weft.api.Access;
import io.weft.api.MemoryLocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/**
 * A region as core asks a backend to register it: checked, of non-zero length, not overflowing. Implemented by Weft only.
 *
 * <p>Immutable; safe from any thread. The memory stays valid until {@link Backend#deregister} returned for it.
 *
 * @since 0.1
 */
public interface MemorySpec {
    /**
     * The region's id in this engine's incarnation.
     *
     * @return an unsigned 32-bit value
     */
    int regionId();

    /**
     * First address, in this process or on the device.
     *
     * @return the address
     */
    long address();

    /**
     * Length.
     *
     * @return bytes, at least 1
     */
    long length();

    /**
     * Kind and device.
     *
     * @return the location
     */
    MemoryLocation location();

    /**
     * Rights to enforce (rule REG-9).
     *
     * @return an unmodifiable set
     */
    Set<Access> access();

    /**
     * Host memory as a segment of a shared scope.
     *
     * @return the segment, empty for device memory
     */
    Optional<MemorySegment> segment();

    /**
     * A dma-buf that covers the memory, where the kind's {@link DeviceMemory} can export one.
     *
     * @return the export, owned by core and valid until deregistered; empty otherwise
     */
    default Optional<DmaBuf> dmaBuf() {
        return Optional.empty();
    }
}
