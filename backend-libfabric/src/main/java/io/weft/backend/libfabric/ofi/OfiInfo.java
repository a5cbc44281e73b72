package io.weft.backend.libfabric.ofi;

import java.lang.foreign.MemorySegment;

/**
 * A kept answer of {@code fi_getinfo}, from which a domain and its endpoints are opened. Confined to the opening thread until
 * {@link #resize} was called, immutable afterwards; freed by {@link #close}.
 */
public final class OfiInfo {
    private final Ofi ofi;
    private final MemorySegment info;
    private final FabricFacts facts;

    OfiInfo(Ofi ofi, MemorySegment info) {
        this.ofi = ofi;
        this.info = info;
        this.facts = FabricFacts.of(info);
    }

    /**
     * What it says.
     *
     * @return the facts as answered
     */
    public FabricFacts facts() {
        return facts;
    }

    /**
     * Asks for smaller queues in the endpoints made from this.
     *
     * @param transmit operations in flight, at most what the facts say
     * @param receive receive buffers, which one-sided endpoints hardly need
     */
    public void resize(long transmit, long receive) {
        FiTxAttr.size(FiInfo.txAttr(info), transmit);
        FiRxAttr.size(FiInfo.rxAttr(info), receive);
    }

    MemorySegment pointer() {
        return info;
    }

    /** Frees it; nothing opened from it is disturbed. */
    public void close() {
        ofi.freeInfo(info);
    }
}
