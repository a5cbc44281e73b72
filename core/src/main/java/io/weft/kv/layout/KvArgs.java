package io.weft.kv.layout;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.List;
import java.util.Objects;

/**
 * What a rank has: its buffers and what of the model they hold. Buffers of a model with K and V are all K layers of the
 * stage, then all V layers; a draft model's K and V follow. MLA has one buffer per layer.
 *
 * <p>Immutable; built with {@link #builder()}, because the original's bag of attributes has grown before.
 *
 * @since 0.1
 */
public final class KvArgs {
    private final Builder from;

    private KvArgs(Builder from) {
        this.from = from;
    }

    /**
     * Starts with one page size and nothing else.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The engine rank: prefill's TP rank, decode's taken modulo the attention TP size.
     *
     * @return the rank
     */
    public int engineRank() {
        return from.engineRank;
    }

    /**
     * KV buffers.
     *
     * @return an unmodifiable list
     */
    public List<BufferSpec> kv() {
        return from.kv;
    }

    /**
     * Model layer of each KV buffer.
     *
     * @return an unmodifiable list, empty when not told
     */
    public List<Integer> layerIds() {
        return from.layerIds;
    }

    /**
     * Aux buffers, in host memory; an item is a request slot.
     *
     * @return an unmodifiable list
     */
    public List<BufferSpec> aux() {
        return from.aux;
    }

    /**
     * State components.
     *
     * @return an unmodifiable list
     */
    public List<StateSpec> state() {
        return from.state;
    }

    /**
     * Whether there is one latent buffer per layer instead of K and V.
     *
     * @return true for MLA
     */
    public boolean isMla() {
        return from.mla;
    }

    /**
     * Whether a linear-attention hybrid has MLA as its full-attention pool; then all CP ranks send.
     *
     * @return true for such a model
     */
    public boolean isHybridMla() {
        return from.hybridMla;
    }

    /**
     * Whether each CP rank holds a part of the layers; then all CP ranks send.
     *
     * @return true for a layer split
     */
    public boolean isLayerSplit() {
        return from.layerSplit;
    }

    /**
     * Tokens per page.
     *
     * @return 1 or more
     */
    public int pageSize() {
        return from.pageSize;
    }

    /**
     * KV heads of this rank.
     *
     * @return the count, 0 when unknown
     */
    public int kvHeads() {
        return from.kvHeads;
    }

    /**
     * KV heads of the model.
     *
     * @param tpSize the rank's TP size, for the case that only its own heads are known
     * @return the count, 0 when unknown
     */
    public int totalKvHeads(int tpSize) {
        return from.totalKvHeads > 0 ? from.totalKvHeads : from.kvHeads * tpSize;
    }

    /**
     * First model layer of this stage.
     *
     * @return the layer
     */
    public int startLayer() {
        return from.startLayer;
    }

    /**
     * Device ordinal.
     *
     * @return the ordinal, -1 for none
     */
    public int gpuId() {
        return from.gpuId;
    }

    /**
     * Name of the cache's element type.
     *
     * @return the name, empty when unknown
     */
    public String dtype() {
        return from.dtype;
    }

    /**
     * Collects the parts. Confined to one thread; setters return this builder.
     *
     * @since 0.1
     */
    public static final class Builder {
        private int engineRank;
        private List<BufferSpec> kv = List.of();
        private List<Integer> layerIds = List.of();
        private List<BufferSpec> aux = List.of();
        private List<StateSpec> state = List.of();
        private boolean mla;
        private boolean hybridMla;
        private boolean layerSplit;
        private int pageSize = 1;
        private int kvHeads;
        private int totalKvHeads;
        private int startLayer;
        private int gpuId = -1;
        private String dtype = "";

        private Builder() {}

        /**
         * Sets the engine rank.
         *
         * @param rank 0 or more
         * @return this
         */
        public Builder engineRank(int rank) {
            engineRank = rank;
            return this;
        }

        /**
         * Sets the KV buffers.
         *
         * @param buffers all K, then all V; or one per layer
         * @return this
         */
        public Builder kv(List<BufferSpec> buffers) {
            kv = List.copyOf(buffers);
            return this;
        }

        /**
         * Names the model layer of each KV buffer, so that draft layers and other splits find their counterpart.
         *
         * @param layers one per buffer, or none
         * @return this
         */
        public Builder layerIds(List<Integer> layers) {
            layerIds = List.copyOf(layers);
            return this;
        }

        /**
         * Sets the aux buffers.
         *
         * @param buffers in host memory
         * @return this
         */
        public Builder aux(List<BufferSpec> buffers) {
            aux = List.copyOf(buffers);
            return this;
        }

        /**
         * Sets the state components.
         *
         * @param components in the same order on both sides
         * @return this
         */
        public Builder state(List<StateSpec> components) {
            state = List.copyOf(components);
            return this;
        }

        /**
         * Says how the cache is organised.
         *
         * @param latent one latent buffer per layer
         * @param hybrid a hybrid whose full-attention pool is MLA
         * @param split each CP rank holds a part of the layers
         * @return this
         */
        public Builder organisation(boolean latent, boolean hybrid, boolean split) {
            mla = latent;
            hybridMla = hybrid;
            layerSplit = split;
            return this;
        }

        /**
         * Sets the page size.
         *
         * @param tokens 1 or more
         * @return this
         */
        public Builder pageSize(int tokens) {
            pageSize = tokens;
            return this;
        }

        /**
         * Sets the head counts.
         *
         * @param ofRank KV heads of this rank, 0 when unknown
         * @param ofModel KV heads of the model, 0 when unknown
         * @return this
         */
        public Builder heads(int ofRank, int ofModel) {
            kvHeads = ofRank;
            totalKvHeads = ofModel;
            return this;
        }

        /**
         * Sets the first model layer of this stage.
         *
         * @param layer 0 or more
         * @return this
         */
        public Builder startLayer(int layer) {
            startLayer = layer;
            return this;
        }

        /**
         * Sets the device.
         *
         * @param ordinal -1 for none
         * @return this
         */
        public Builder gpuId(int ordinal) {
            gpuId = ordinal;
            return this;
        }

        /**
         * Sets the element type.
         *
         * @param name as the original's server argument
         * @return this
         */
        public Builder dtype(String name) {
            dtype = Objects.requireNonNull(name, "dtype");
            return this;
        }

        /**
         * Makes the value.
         *
         * @return immutable args
         * @throws WeftException INVALID_ARGUMENT if parts contradict each other
         */
        public KvArgs build() {
            Builder copy = new Builder()
                    .engineRank(engineRank)
                    .kv(kv)
                    .layerIds(layerIds)
                    .aux(aux)
                    .state(state)
                    .organisation(mla, hybridMla, layerSplit)
                    .pageSize(pageSize)
                    .heads(kvHeads, totalKvHeads)
                    .startLayer(startLayer)
                    .gpuId(gpuId)
                    .dtype(dtype);
            if (pageSize < 1 || engineRank < 0 || startLayer < 0 || gpuId < -1) {
                throw invalid("page size " + pageSize + ", engine rank " + engineRank + ", start layer " + startLayer
                        + ", gpu " + gpuId);
            }
            if (!layerIds.isEmpty() && layerIds.size() != kv.size()) {
                throw invalid(kv.size() + " KV buffers and " + layerIds.size() + " layer ids");
            }
            for (BufferSpec buffer : aux) {
                if (!buffer.location().kind().isHost()) {
                    throw invalid("aux buffer in " + buffer.location() + ", must be host memory");
                }
            }
            return new KvArgs(copy);
        }

        private static WeftException invalid(String what) {
            return new WeftException(ErrorCode.INVALID_ARGUMENT, "KV args: " + what);
        }
    }
}
