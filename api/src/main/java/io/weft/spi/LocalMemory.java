package io.weft.spi;

/**
 * A backend's handle of a region it registered. Implemented by vendors; opaque to core, which hands it back in
 * {@link Operation#local}.
 *
 * @since 0.1
 */
public interface LocalMemory {
    /**
     * What was registered.
     *
     * @return the spec given to {@link Backend#register}
     */
    MemorySpec spec();
}
