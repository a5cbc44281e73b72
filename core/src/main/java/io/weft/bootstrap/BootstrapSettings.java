package io.weft.bootstrap;

import io.weft.spi.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link BootstrapServer}. Immutable; never prints the secret (rule SEC-4).
 *
 * @param host address or name to listen on
 * @param port TCP port, 0 for any
 * @param secret what clients must know, null or empty for none; older clients cannot prove it
 * @param roomLifetime how long a room's DP rank is kept
 * @param checkInterval how often ranks without heartbeat are dialled
 * @param checkFailures how many failures in a row make such a rank forgotten
 * @param store where to keep everything
 * @param clock monotonic clock
 * @since 0.1
 */
public record BootstrapSettings(
        String host,
        int port,
        @Nullable String secret,
        Duration roomLifetime,
        Duration checkInterval,
        int checkFailures,
        RegistryStore store,
        EngineClock clock) {
    /**
     * Settings with the original's lifetime of rooms and a check of silent ranks each 30 s, four failures of which make them
     * forgotten.
     *
     * @param host address or name to listen on
     * @param port TCP port, 0 for any
     * @param secret what clients must know, null or empty for none
     * @return the settings, in memory
     */
    public static BootstrapSettings of(String host, int port, @Nullable String secret) {
        return new BootstrapSettings(
                host,
                port,
                secret,
                Duration.ofSeconds(120),
                Duration.ofSeconds(30),
                4,
                new MemoryStore(),
                EngineClock.SYSTEM);
    }

    @Override
    public String toString() {
        return "BootstrapSettings[" + host + ":" + port + (secret == null || secret.isEmpty() ? "" : ", secret set")
                + "]";
    }
}
