package io.weft.cli.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One result.
 *
 * @param size bytes of a segment
 * @param batch segments of a transfer
 * @param lanes lanes of the link
 * @param gigabytesPerSecond payload rate, 10^9 bytes
 * @param segmentsPerSecond segment rate
 * @param p50Micros median time of a transfer, from the call to its end as the caller sees it
 * @param p99Micros 99th percentile
 * @param p999Micros 99.9th percentile
 * @param bytesAllocatedPerTransfer Java heap, over all threads of the initiator
 * @param transfers how many were measured
 * @param verified whether destination bytes were right afterwards
 */
public record BenchRow(
        long size,
        int batch,
        int lanes,
        double gigabytesPerSecond,
        double segmentsPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double bytesAllocatedPerTransfer,
        long transfers,
        boolean verified) {
    /**
     * The row for machines.
     *
     * @return names and numbers, in order
     */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("size", size);
        map.put("batch", batch);
        map.put("lanes", lanes);
        map.put("gigabytesPerSecond", gigabytesPerSecond);
        map.put("segmentsPerSecond", segmentsPerSecond);
        map.put("p50Micros", p50Micros);
        map.put("p99Micros", p99Micros);
        map.put("p999Micros", p999Micros);
        map.put("bytesAllocatedPerTransfer", bytesAllocatedPerTransfer);
        map.put("transfers", transfers);
        map.put("verified", verified);
        return map;
    }
}
