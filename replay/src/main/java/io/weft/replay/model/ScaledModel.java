package io.weft.replay.model;

import io.weft.replay.trace.Trace;

/**
 * A model made small enough for the machine: fewer layers, fewer pages for a trace block; heads and parallel layout stay,
 * so the plans are those of the real model.
 *
 * @param geometry the whole model
 * @param layers layers replayed
 * @param pagesPerBlock pages that a 512-token block of the trace becomes
 * @param scale the factor asked for
 */
public record ScaledModel(ModelGeometry geometry, int layers, int pagesPerBlock, double scale) {
    /** Tokens of a page. */
    public static final int PAGE_TOKENS = 64;

    /**
     * Scales.
     *
     * @param geometry the model
     * @param scale above 0, at most 1
     * @param pipelineStages stages that share the layers, at least one each
     * @return the scaled model
     */
    public static ScaledModel of(ModelGeometry geometry, double scale, int pipelineStages) {
        if (!(scale > 0 && scale <= 1)) {
            throw new IllegalArgumentException("scale must be above 0 and at most 1, found " + scale);
        }
        int layers = Math.max(pipelineStages, (int) Math.round(geometry.layers() * scale));
        int pages = (int) Math.max(1, Math.round((double) Trace.BLOCK_TOKENS / PAGE_TOKENS * scale));
        return new ScaledModel(geometry, layers, pages, scale);
    }

    /**
     * Tensors of a state, scaled like the layers.
     *
     * @param state a state of the model
     * @return a count, at least 1
     */
    public int tensors(StateGeometry state) {
        return (int) Math.max(1, Math.round(state.tensors() * scale));
    }

    /**
     * Bytes of one page in all replayed layers, over all ranks.
     *
     * @return bytes
     */
    public long pageBytes() {
        long perLayer = (long) PAGE_TOKENS * geometry.kvHeads() * geometry.headDim() * geometry.elementBytes();
        return perLayer * layers * (geometry.mla() ? 1 : 2);
    }
}
