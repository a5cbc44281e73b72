package io.weft.engine.internal;

import io.weft.config.ConfigurationSources;
import io.weft.config.OptionGroup;
import io.weft.discovery.Discovery;
import io.weft.engine.internal.control.ControlPlane;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import io.weft.spi.OptionValues;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What an embedder asked for.
 *
 * @param discovery where backends are looked for
 * @param sources where option values come from
 * @param components option groups beside the engine's, which may be set by the same sources
 * @param executor runs callbacks, null for virtual threads
 * @param clock clock of deadlines
 * @param plane makes the control plane
 */
public record EngineRequest(
        Discovery discovery,
        ConfigurationSources sources,
        List<OptionGroup> components,
        @Nullable Executor executor,
        EngineClock clock,
        PlaneFactory plane) {
    /** Makes the control plane of an engine. */
    @FunctionalInterface
    public interface PlaneFactory {
        /**
         * Makes a plane that is not started.
         *
         * @param options values of the engine's options
         * @param clock clock of deadlines
         * @param metrics where it counts
         * @return the plane
         */
        ControlPlane make(OptionValues options, EngineClock clock, Metrics metrics);
    }
}
