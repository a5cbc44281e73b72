package io.weft.kv.plan;

/**
 * Which buffers of a decode rank belong to which buffers of a prefill pipeline stage, by position. K and V of the same
 * layer lie half a list apart.
 *
 * <p>The stage's start layer counts from the first layer that the decode rank holds. A decode rank with as many buffers as
 * the stage is that stage itself (equal pipelines on both sides), where the original applied the global start layer and
 * failed.
 *
 * @param layers layers to send
 * @param sourceK source positions of K, of the whole cache for MLA
 * @param sourceV source positions of V, empty for MLA
 * @param destinationK destination positions of K, of the whole cache for MLA
 * @param destinationV destination positions of V, empty for MLA
 * @since 0.1
 */
public record PipelineSlice(int layers, Range sourceK, Range sourceV, Range destinationK, Range destinationV) {
    private static final Range NONE = new Range(0, 0);

    /**
     * Pairs buffers that are all K, then all V.
     *
     * @param sources buffers of the prefill stage
     * @param startLayer first layer of the stage
     * @param destinations buffers of the decode rank
     * @return the slice
     * @throws io.weft.api.WeftException INCOMPATIBLE if the stage does not fit
     */
    public static PipelineSlice mha(int sources, int startLayer, int destinations) {
        if (sources == 0) {
            throw Refusal.invalid("prefill side has no KV buffers to send");
        }
        int layers = sources / 2;
        int total = destinations / 2;
        int start = destinations == sources ? 0 : startLayer;
        if (destinations < 2 || start < 0 || start + layers > total) {
            throw Refusal.incompatible(
                    "KV buffers do not match the prefill pp configuration: the stage holds %d K and V layers from layer "
                            + "%d, the decode rank offers %d buffers (%d layers)",
                    layers, startLayer, destinations, total);
        }
        return new PipelineSlice(
                layers,
                new Range(0, layers),
                new Range(layers, sources),
                Range.of(start, layers),
                Range.of(total + start, layers));
    }

    /**
     * Pairs buffers that are one per layer.
     *
     * @param sources buffers of the prefill stage
     * @param startLayer first layer of the stage
     * @param destinations buffers of the decode rank
     * @return the slice
     * @throws io.weft.api.WeftException INCOMPATIBLE if the stage does not fit
     */
    public static PipelineSlice mla(int sources, int startLayer, int destinations) {
        int start = destinations == sources ? 0 : startLayer;
        if (start < 0 || start + sources > destinations) {
            throw Refusal.incompatible(
                    "MLA KV buffers do not match the prefill pp configuration: the stage holds %d layers from layer %d, "
                            + "the decode rank offers %d",
                    sources, startLayer, destinations);
        }
        return new PipelineSlice(sources, new Range(0, sources), NONE, Range.of(start, sources), NONE);
    }

    /**
     * Source positions, K and V of all layers sent.
     *
     * @return positions, parallel to {@link #destinations()}
     */
    public int[] sources() {
        return both(sourceK.from(), sourceV.from(), sourceV.size() > 0);
    }

    /**
     * Destination positions, K and V of all layers sent.
     *
     * @return positions, parallel to {@link #sources()}
     */
    public int[] destinations() {
        return both(destinationK.from(), destinationV.from(), destinationV.size() > 0);
    }

    private int[] both(int k, int v, boolean hasV) {
        int[] positions = new int[hasV ? 2 * layers : layers];
        for (int i = 0; i < layers; i++) {
            positions[i] = k + i;
            if (hasV) {
                positions[layers + i] = v + i;
            }
        }
        return positions;
    }
}
