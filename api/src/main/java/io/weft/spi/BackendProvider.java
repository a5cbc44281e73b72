package io.weft.spi;

import io.weft.api.WeftException;
import java.util.List;

/**
 * The entry of a backend, found by {@link java.util.ServiceLoader} (declare it by {@code provides} and in
 * {@code META-INF/services}). Implemented by vendors.
 *
 * <p>The constructor, {@link #name}, {@link #options} and the other small methods do no I/O and load no native library.
 * Threading: core calls a provider from one thread at a time.
 *
 * @since 0.1
 */
public interface BackendProvider {
    /**
     * The backend's name: goes into configuration keys ({@code weft.backend.NAME.*}), receipts, metrics and the wire.
     *
     * @return a lower-case letter followed by at most 31 lower-case letters, digits or {@code -}; stable for ever
     */
    String name();

    /**
     * The provider's version.
     *
     * @return a version, by default the implementation version of the jar or {@code unknown}
     */
    default String version() {
        var descriptor = getClass().getModule().getDescriptor();
        if (descriptor != null && descriptor.rawVersion().isPresent()) {
            return descriptor.rawVersion().get();
        }
        String version = getClass().getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /**
     * The SPI level this provider was compiled for. Write {@code return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);}: the
     * compiler puts the numbers of the day into your class, so nobody types them.
     *
     * @return the level
     */
    SpiLevel builtFor();

    /**
     * Rank among backends that satisfy a transfer and are not ordered by configuration.
     *
     * @return higher comes first; by convention 0 to 100, loopback-like fallbacks 10, fabrics 50
     */
    default int priority() {
        return 50;
    }

    /**
     * The options this backend understands, as data. Keys are relative to {@code weft.backend.NAME.}.
     *
     * @return specs with distinct keys
     */
    List<OptionSpec> options();

    /**
     * Tells whether the backend can work on this host. Called on a control thread; may load libraries and open devices;
     * must not throw, must end before the context's deadline and must hold nothing afterwards (rule CAP-2). Core guards
     * against a probe that does otherwise.
     *
     * @param context option values and deadline
     * @return usable with devices, or why not and what would make it usable
     */
    Availability probe(ProbeContext context);

    /**
     * Opens the backend for one engine. Called on a control thread after a successful probe; may block, bounded by the
     * engine's open timeout.
     *
     * @param context everything the backend gets from core, valid until {@link Backend#close} returned
     * @return an open backend
     * @throws WeftException if it cannot be opened; the text names file, library, device or option
     */
    Backend open(BackendContext context);
}
