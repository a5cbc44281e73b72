package io.weft.cli;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.discovery.DeviceMemoryCatalogue;
import io.weft.discovery.DeviceMemoryEntry;
import io.weft.discovery.Installation;
import io.weft.spi.DeviceMemory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What {@code --memory} names. */
final class DeviceMemories {
    private static final Duration PROBES = Duration.ofSeconds(15);

    private DeviceMemories() {}

    /** Probes the providers and opens the one of a kind; throws UNSUPPORTED with why it cannot be used. */
    static DeviceMemory open(Installation installation, MemoryLocation location) {
        MemoryKind kind = location.kind();
        DeviceMemoryCatalogue probed = installation.deviceMemories().probe(PROBES);
        DeviceMemory memory = probed.find(kind)
                .orElseThrow(() -> unsupported(location, whyNot(probed.entries(), kind)))
                .open();
        int devices = memory.devices().size();
        if (location.device() >= devices) {
            memory.close();
            throw unsupported(location, "there are " + devices + " devices of that kind, counted from 0");
        }
        return memory;
    }

    private static String whyNot(List<DeviceMemoryEntry> entries, MemoryKind kind) {
        return entries.stream()
                .filter(entry -> entry.kind().equals(Optional.of(kind)))
                .map(DeviceMemoryEntry::reason)
                .findFirst()
                .orElseGet(() -> "no provider of that kind was found, only of "
                        + entries.stream().map(DeviceMemoryEntry::name).toList());
    }

    private static WeftException unsupported(MemoryLocation location, String why) {
        return new WeftException(ErrorCode.UNSUPPORTED, "--memory " + location + ": " + why);
    }
}
