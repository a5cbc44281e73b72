package io.weft.backend.libfabric;

import io.weft.api.MemoryDescriptor;
import io.weft.spi.RemoteMemory;

/**
 * A peer's region.
 *
 * @param descriptor what it names
 * @param base remote address of its first byte, as the provider wants it
 * @param key key for operations
 * @param mapped whether the key must be given back
 */
record RemoteRegion(MemoryDescriptor descriptor, long base, long key, boolean mapped) implements RemoteMemory {}
