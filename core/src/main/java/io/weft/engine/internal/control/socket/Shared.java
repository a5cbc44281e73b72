package io.weft.engine.internal.control.socket;

import io.weft.engine.internal.control.ControlHandler;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import io.weft.spi.Metrics.Counter;
import java.util.concurrent.Executor;

/**
 * What the parts of one control plane have in common.
 *
 * @param executor runs what may block
 */
record Shared(
        SocketSettings settings,
        EngineClock clock,
        ControlHandler handler,
        IoLoop loop,
        Executor executor,
        Counters counters) {

    /** What the control plane counts, relative to the engine's metrics. */
    record Counters(
            Counter accepted,
            Counter claimed,
            Counter unclaimed,
            Counter unauthenticated,
            Counter protocolErrors,
            Counter sessionsOpened,
            Counter requestsRefused,
            Counter slowReaders) {
        static Counters of(Metrics metrics) {
            return new Counters(
                    metrics.counter("control.connections.accepted"),
                    metrics.counter("control.connections.claimed"),
                    metrics.counter("control.connections.unclaimed"),
                    metrics.counter("control.connections.unauthenticated"),
                    metrics.counter("control.protocol.errors"),
                    metrics.counter("control.sessions.opened"),
                    metrics.counter("control.requests.refused"),
                    metrics.counter("control.slow.readers"));
        }
    }
}
