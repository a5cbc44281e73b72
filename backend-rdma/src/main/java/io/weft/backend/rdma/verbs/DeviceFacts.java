package io.weft.backend.rdma.verbs;

import java.lang.foreign.MemorySegment;

/**
 * What a device allows, read once.
 *
 * @param firmware firmware version, may be empty
 * @param maxMrBytes largest region
 * @param maxQp queue pairs
 * @param maxQpWr work requests of a queue
 * @param maxSge scatter-gather entries of a send or write
 * @param maxSgeRead scatter-gather entries of a read
 * @param maxCqe completion queue entries
 * @param maxMr regions
 * @param maxReadsIn reads that a queue pair answers at once
 * @param maxReadsOut reads that a queue pair has outstanding
 * @param ports number of ports
 */
public record DeviceFacts(
        String firmware,
        long maxMrBytes,
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRead,
        int maxCqe,
        int maxMr,
        int maxReadsIn,
        int maxReadsOut,
        int ports) {
    static DeviceFacts of(MemorySegment attr) {
        return new DeviceFacts(
                IbvDeviceAttr.fwVer(attr),
                IbvDeviceAttr.maxMrSize(attr),
                IbvDeviceAttr.maxQp(attr),
                IbvDeviceAttr.maxQpWr(attr),
                IbvDeviceAttr.maxSge(attr),
                IbvDeviceAttr.maxSgeRd(attr),
                IbvDeviceAttr.maxCqe(attr),
                IbvDeviceAttr.maxMr(attr),
                IbvDeviceAttr.maxQpRdAtom(attr),
                IbvDeviceAttr.maxQpInitRdAtom(attr),
                IbvDeviceAttr.physPortCnt(attr));
    }
}
