package io.weft.backend.libfabric.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What to ask {@code fi_getinfo} for.
 *
 * @param provider provider name or layers, empty for any
 * @param fabric fabric name, empty for any
 * @param domain domain name, empty for any
 * @param sourceHost numeric address that endpoints are bound to, empty for none
 * @param mrModes {@code FI_MR_*} bits that the caller can honour
 * @param hmem whether device memory must be moved too
 */
public record InfoQuery(String provider, String fabric, String domain, String sourceHost, int mrModes, boolean hmem) {
    void fill(MemorySegment hints, Arena arena) {
        FiInfo.caps(hints, Fi.MSG | Fi.RMA | (hmem ? Fi.HMEM : 0));
        FiInfo.mode(hints, Fi.CONTEXT | Fi.CONTEXT2);
        FiEpAttr.type(FiInfo.epAttr(hints), Fi.EP_RDM);
        MemorySegment domainAttr = FiInfo.domainAttr(hints);
        FiDomainAttr.threading(domainAttr, Fi.THREAD_SAFE);
        FiDomainAttr.mrMode(domainAttr, mrModes);
        if (!domain.isEmpty()) {
            FiDomainAttr.name(domainAttr, arena.allocateFrom(domain));
        }
        MemorySegment fabricAttr = FiInfo.fabricAttr(hints);
        if (!provider.isEmpty()) {
            FiFabricAttr.provName(fabricAttr, arena.allocateFrom(provider));
        }
        if (!fabric.isEmpty()) {
            FiFabricAttr.name(fabricAttr, arena.allocateFrom(fabric));
        }
    }

    /** {@code fi_freeinfo} calls free() on the names, which are the arena's. */
    void clear(MemorySegment hints) {
        FiDomainAttr.name(FiInfo.domainAttr(hints), MemorySegment.NULL);
        FiFabricAttr.provName(FiInfo.fabricAttr(hints), MemorySegment.NULL);
        FiFabricAttr.name(FiInfo.fabricAttr(hints), MemorySegment.NULL);
    }

    MemorySegment node(Arena arena) {
        return sourceHost.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(sourceHost);
    }

    MemorySegment service(Arena arena) {
        return sourceHost.isEmpty() ? MemorySegment.NULL : arena.allocateFrom("0");
    }

    long flags() {
        return sourceHost.isEmpty() ? 0 : Fi.SOURCE;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(hmem ? "RDM endpoints with RMA and HMEM" : "RDM endpoints with RMA");
        append(text, "provider", provider);
        append(text, "fabric", fabric);
        append(text, "domain", domain);
        append(text, "source", sourceHost);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(", ").append(name).append(' ').append(value);
        }
    }
}
