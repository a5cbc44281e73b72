package io.weft.backend.libfabric.ofi;

import java.lang.foreign.MemorySegment;

/**
 * What {@code fi_getinfo} says of one way to reach a fabric.
 *
 * @param provider provider name, layers joined by {@code ;}
 * @param fabric fabric name
 * @param domain domain name: the device
 * @param providerVersion packed version
 * @param addrFormat an {@code FI_ADDR_*} or {@code FI_SOCKADDR_*} value
 * @param caps capability bits
 * @param mode mode bits that the caller must honour
 * @param mrMode {@code FI_MR_*} bits that the caller must honour
 * @param mrKeyBytes length of a key
 * @param mrCount regions, 0 for no stated limit
 * @param endpointCount endpoints, 0 for no stated limit
 * @param autoProgress whether the provider says that it makes progress by itself
 * @param threadSafe whether any thread may call
 * @param maxMessageBytes largest transfer in one operation
 * @param txSize operations that an endpoint takes
 * @param iovLimit local buffers in one operation
 * @param rmaIovLimit remote buffers in one operation
 * @param injectBytes largest injected operation
 * @param msgOrder ordering bits
 */
public record FabricFacts(
        String provider,
        String fabric,
        String domain,
        int providerVersion,
        int addrFormat,
        long caps,
        long mode,
        int mrMode,
        long mrKeyBytes,
        long mrCount,
        long endpointCount,
        boolean autoProgress,
        boolean threadSafe,
        long maxMessageBytes,
        long txSize,
        long iovLimit,
        long rmaIovLimit,
        long injectBytes,
        long msgOrder) {
    static FabricFacts of(MemorySegment info) {
        MemorySegment fabric = FiInfo.fabricAttr(info);
        MemorySegment domain = FiInfo.domainAttr(info);
        MemorySegment endpoint = FiInfo.epAttr(info);
        MemorySegment tx = FiInfo.txAttr(info);
        return new FabricFacts(
                FiFabricAttr.provName(fabric),
                FiFabricAttr.name(fabric),
                FiDomainAttr.name(domain),
                FiFabricAttr.provVersion(fabric),
                FiInfo.addrFormat(info),
                FiInfo.caps(info),
                FiInfo.mode(info),
                FiDomainAttr.mrMode(domain),
                FiDomainAttr.mrKeySize(domain),
                FiDomainAttr.mrCount(domain),
                FiDomainAttr.epCount(domain),
                FiDomainAttr.dataProgress(domain) == Fi.PROGRESS_AUTO,
                FiDomainAttr.threading(domain) == Fi.THREAD_SAFE,
                FiEpAttr.maxMsgSize(endpoint),
                FiTxAttr.size(tx),
                FiTxAttr.iovLimit(tx),
                FiTxAttr.rmaIovLimit(tx),
                FiTxAttr.injectSize(tx),
                FiTxAttr.msgOrder(tx));
    }

    /**
     * Whether a mode of memory registration is asked of the caller.
     *
     * @param bit an {@code FI_MR_*} bit
     * @return true if it must be honoured
     */
    public boolean needs(int bit) {
        return (mrMode & bit) != 0;
    }
}
