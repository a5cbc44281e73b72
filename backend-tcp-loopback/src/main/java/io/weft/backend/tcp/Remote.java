package io.weft.backend.tcp;

import io.weft.api.MemoryDescriptor;
import io.weft.spi.RemoteMemory;

/** A peer's region: on this fabric its id is the whole key. */
record Remote(MemoryDescriptor descriptor) implements RemoteMemory {
    int id() {
        return descriptor.id();
    }
}
