package io.weft.discovery;

import io.weft.api.MemoryKind;
import io.weft.spi.DeviceMemoryProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every provider of device memory that was found, by kind; those that were refused come last.
 *
 * <p>Immutable; safe from any thread.
 */
public final class DeviceMemoryCatalogue {
    private final List<DeviceMemoryEntry> entries;

    DeviceMemoryCatalogue(List<DeviceMemoryEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * The providers.
     *
     * @return by kind
     */
    public List<DeviceMemoryEntry> entries() {
        return entries;
    }

    /**
     * Looks a usable provider up, after {@link #probe}.
     *
     * @param kind the kind
     * @return the provider, empty if none is usable
     */
    public Optional<DeviceMemoryProvider> find(MemoryKind kind) {
        return entries.stream()
                .filter(e -> e.isUsable() && e.kind().equals(Optional.of(kind)))
                .findFirst()
                .flatMap(DeviceMemoryEntry::provider);
    }

    /**
     * Probes every provider that was not refused, all at once; see {@link BackendCatalogue#probe}.
     *
     * @param timeout how long the probes may take, all together
     * @return a catalogue with their answers
     */
    public DeviceMemoryCatalogue probe(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        return new DeviceMemoryCatalogue(Probing.run(
                entries,
                timeout,
                DeviceMemoryEntry::provider,
                (entry, provider) -> provider.probe(deadline),
                DeviceMemoryEntry::probed));
    }
}
