package io.weft.engine;

import io.weft.api.TransferEngine;
import io.weft.telemetry.Check;
import io.weft.telemetry.EngineView;
import io.weft.telemetry.MetricSource;
import java.util.List;
import java.util.Optional;

/**
 * What an engine tells about itself, for operators. Safe from any thread.
 *
 * @since 0.1
 */
public interface EngineTelemetry {
    /**
     * The telemetry of an engine.
     *
     * @param engine an engine
     * @return empty if it is not one that {@link Weft} opened, such as a decorator
     */
    static Optional<EngineTelemetry> of(TransferEngine engine) {
        return engine instanceof EngineTelemetry telemetry ? Optional.of(telemetry) : Optional.empty();
    }

    /**
     * What it counts.
     *
     * @return a source to read whenever somebody looks; never blocks
     */
    MetricSource metrics();

    /**
     * A picture of what goes on. Takes at most about a second; takes no lock that a transfer needs, and looks at no more than is asked
     * for.
     *
     * @param mostPeers peers to look at, those with transfers first
     * @param mostTransfers transfers of each peer to describe, the oldest first
     * @return the picture
     */
    EngineView look(int mostPeers, int mostTransfers);

    /**
     * Whether the engine's own threads still do something. Takes at most about two seconds.
     *
     * @return what was looked at
     */
    List<Check> alive();
}
