package io.weft.tck.harness;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.engine.Descriptors;

/** The descriptors' format, as the rules reach it. */
public interface Codec {
    /** Core's. */
    Codec CORE = new Codec() {};

    /**
     * Packs an engine's descriptor.
     *
     * @param descriptor the descriptor
     * @return its bytes
     */
    default byte[] pack(EngineDescriptor descriptor) {
        return Descriptors.pack(descriptor);
    }

    /**
     * Packs a region's descriptor.
     *
     * @param descriptor the descriptor
     * @return its bytes
     */
    default byte[] pack(MemoryDescriptor descriptor) {
        return Descriptors.pack(descriptor);
    }

    /**
     * Reads an engine's descriptor.
     *
     * @param packed bytes
     * @return the descriptor
     */
    default EngineDescriptor unpackEngine(byte[] packed) {
        return Descriptors.unpackEngine(packed);
    }

    /**
     * Reads a region's descriptor.
     *
     * @param packed bytes
     * @return the descriptor
     */
    default MemoryDescriptor unpackMemory(byte[] packed) {
        return Descriptors.unpackMemory(packed);
    }
}
