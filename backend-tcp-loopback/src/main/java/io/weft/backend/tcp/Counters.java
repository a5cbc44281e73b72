package io.weft.backend.tcp;

import io.weft.spi.Metrics;
import io.weft.spi.Metrics.Counter;

/**
 * What the backend counts.
 *
 * @param bytesIn payload received as target
 * @param bytesOut payload sent as target
 * @param refused accesses refused as target
 * @param malformed connections closed for what a peer sent
 * @param strangers connections closed before they had shown whose they are
 */
record Counters(Counter bytesIn, Counter bytesOut, Counter refused, Counter malformed, Counter strangers) {
    static Counters of(Metrics metrics) {
        return new Counters(
                metrics.counter("target.bytes.in"),
                metrics.counter("target.bytes.out"),
                metrics.counter("target.refused"),
                metrics.counter("malformed"),
                metrics.counter("strangers"));
    }
}
