package io.weft.discovery;

import io.weft.api.MemoryKind;
import io.weft.api.Verdict;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.SpiLevel;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Constructs providers of device memory and asks them which kind they provide. Thread-confined. */
final class DeviceMemoryLoading {
    private final Set<String> deny;
    private final Duration timeout;

    DeviceMemoryLoading(Set<String> deny, Duration timeout) {
        this.deny = deny;
        this.timeout = timeout;
    }

    List<DeviceMemoryEntry> load(List<Found<DeviceMemoryProvider>> found) {
        List<DeviceMemoryEntry> entries =
                Construction.run(found, deny, timeout, DeviceMemoryLoading::ask, DeviceMemoryEntry::neverLoaded);
        return entries.stream()
                .map(e -> withoutRival(e, entries))
                .sorted(Comparator.comparing(
                                (DeviceMemoryEntry e) -> e.refused().isPresent())
                        .thenComparing(DeviceMemoryEntry::name)
                        .thenComparing(e -> e.source().location()))
                .toList();
    }

    /** Runs on a guard's thread: everything here may throw or hang. */
    private static DeviceMemoryEntry ask(Found<DeviceMemoryProvider> found) {
        DeviceMemoryProvider provider = found.make();
        SpiLevel level = provider.builtFor();
        if (!SpiLevel.running().accepts(level)) {
            return DeviceMemoryEntry.neverLoaded(found, Verdict.INCOMPATIBLE, BackendLoading.wrongLevel(level));
        }
        MemoryKind kind = provider.kind();
        return new DeviceMemoryEntry(
                kind.id(),
                Optional.of(kind),
                provider.getClass().getName(),
                found.source(),
                Optional.of(provider),
                Optional.empty(),
                "",
                Optional.empty());
    }

    private static DeviceMemoryEntry withoutRival(DeviceMemoryEntry entry, List<DeviceMemoryEntry> all) {
        if (entry.refused().isPresent()) {
            return entry;
        }
        List<DeviceMemoryEntry> same = all.stream()
                .filter(e -> e.refused().isEmpty() && e.kind().equals(entry.kind()))
                .toList();
        boolean isGiven = entry.source().isApplication();
        long given = same.stream().filter(e -> e.source().isApplication()).count();
        if (same.size() == 1 || (isGiven && given == 1)) {
            return entry;
        }
        if (given == 1) {
            return entry.refuse(
                    Verdict.DISABLED, "the application gave its own provider of " + entry.name() + " memory");
        }
        String places = same.stream()
                .map(e -> e.className() + " in " + e.source())
                .sorted()
                .collect(Collectors.joining(" and "));
        return entry.refuse(
                Verdict.DUPLICATE_NAME,
                entry.name() + " memory is provided by " + places
                        + "; remove one, or name its class in weft.backends.deny");
    }
}
