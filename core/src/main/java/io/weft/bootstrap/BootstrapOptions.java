package io.weft.bootstrap;

import io.weft.config.OptionGroup;
import io.weft.config.OptionSource;
import io.weft.spi.EngineClock;
import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.time.Duration;
import java.util.List;

/**
 * The registry's options, keys relative to {@code weft.bootstrap.}. Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class BootstrapOptions implements OptionSource {
    /** How long a room's DP rank is kept. */
    public static final String ROOM_LIFETIME = "room-lifetime";
    /** How often silent ranks are dialled. */
    public static final String CHECK_INTERVAL = "check.interval";
    /** Failed dials until a silent rank is forgotten. */
    public static final String CHECK_FAILURES = "check.failures";

    private static final long MS = 1_000_000L;
    private static final long DAY = 86_400_000L * MS;

    /** The options as a group of the catalogue. */
    public static final OptionGroup GROUP = new OptionGroup(
            "bootstrap",
            "weft.bootstrap.",
            "the bootstrap registry of prefill ranks",
            List.of(
                    OptionSpec.of(
                                    ROOM_LIFETIME,
                                    Type.DURATION,
                                    "120s",
                                    "How long the registry knows which DP rank serves a room.")
                            .withRange(MS, DAY)
                            .withAliases("SGLANG_DISAGGREGATION_BOOTSTRAP_ENTRY_CLEANUP_INTERVAL"),
                    OptionSpec.of(
                                    CHECK_INTERVAL,
                                    Type.DURATION,
                                    "30s",
                                    "How often the registry dials the control port of ranks that announced no heartbeat.")
                            .withRange(MS, DAY),
                    OptionSpec.integer(
                            CHECK_FAILURES, 4, 1, 1_000, "Failed dials in a row until such a rank is forgotten.")));

    /** For the service loader. */
    public BootstrapOptions() {}

    @Override
    public List<OptionGroup> groups() {
        return List.of(GROUP);
    }

    /**
     * Reads settings of a registry in memory.
     *
     * @param values values of {@link #GROUP}
     * @param host address or name to listen on
     * @param port TCP port, 0 for any
     * @param secret what clients must know, empty for none
     * @return the settings
     */
    public static BootstrapSettings settings(OptionValues values, String host, int port, String secret) {
        return new BootstrapSettings(
                host,
                port,
                secret,
                Duration.ofNanos(values.nanos(ROOM_LIFETIME)),
                Duration.ofNanos(values.nanos(CHECK_INTERVAL)),
                (int) values.integer(CHECK_FAILURES),
                new MemoryStore(),
                EngineClock.SYSTEM);
    }
}
