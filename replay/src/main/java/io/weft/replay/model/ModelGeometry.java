package io.weft.replay.model;

import java.util.List;

/**
 * What a model keeps per token, by its public configuration.
 *
 * @param name name of the preset or file
 * @param layers layers with a KV cache
 * @param kvHeads KV heads; 1 for MLA
 * @param headDim elements of a head; for MLA the latent and the rotary part together
 * @param elementBytes bytes of an element
 * @param mla whether a layer keeps one latent buffer instead of K and V
 * @param states state beside the KV cache
 */
public record ModelGeometry(
        String name, int layers, int kvHeads, int headDim, int elementBytes, boolean mla, List<StateGeometry> states) {
    /** Copies the list and checks the numbers. */
    public ModelGeometry {
        states = List.copyOf(states);
        if (layers < 1 || kvHeads < 1 || headDim < 1 || elementBytes < 1) {
            throw new IllegalArgumentException("model " + name + ": layers, kvHeads, headDim and elementBytes must be"
                    + " at least 1, found " + layers + ", " + kvHeads + ", " + headDim + ", " + elementBytes);
        }
    }

    /**
     * Bytes that one token takes in all layers, over all ranks.
     *
     * @return bytes
     */
    public long bytesPerToken() {
        return (long) layers * (mla ? 1 : 2) * kvHeads * headDim * elementBytes;
    }
}
