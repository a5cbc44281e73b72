package io.weft.engine;

import io.weft.api.TransferEngine;
import io.weft.telemetry.MetricSource;
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
}
