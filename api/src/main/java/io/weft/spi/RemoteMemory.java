package io.weft.spi;

import io.weft.api.MemoryDescriptor;

/**
 * A backend's handle of a peer's region. Implemented by vendors; opaque to core, which hands it back in
 * {@link Operation#remote}.
 *
 * @since 0.1
 */
public interface RemoteMemory {
    /**
     * What it names.
     *
     * @return the descriptor given to {@link Backend#importKey}
     */
    MemoryDescriptor descriptor();
}
