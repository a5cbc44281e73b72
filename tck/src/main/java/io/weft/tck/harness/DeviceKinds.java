package io.weft.tck.harness;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.spi.Availability;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.tck.TckConfig;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The device memory that a run asks for; rules about bytes are tried with it on either side and on both. */
final class DeviceKinds {
    private static final long PROBE_NANOS = 15_000_000_000L;

    private DeviceKinds() {}

    /** The kind that is asked for, empty for host memory and if none is. */
    static Optional<MemoryKind> wanted(TckConfig config) {
        return config.memory().map(text -> MemoryLocation.parse(text).kind()).filter(kind -> !kind.isHost());
    }

    /** The provider of what is asked for. */
    static Optional<DeviceMemoryProvider> provider(TckConfig config) {
        return wanted(config).map(DeviceKinds::find);
    }

    private static DeviceMemoryProvider find(MemoryKind kind) {
        DeviceMemoryProvider provider = ServiceLoader.load(DeviceMemoryProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new HarnessBroken("no device memory provider of kind " + kind + " is on the path"));
        Availability found = provider.probe(System.nanoTime() + PROBE_NANOS);
        if (!found.isUsable()) {
            throw new HarnessBroken("memory of kind " + kind + " cannot be used here: " + found.reason());
        }
        return provider;
    }

    /** Every combination with that kind on some side. */
    static List<Facts.Kinds> pairs(MemoryKind kind) {
        return List.of(
                new Facts.Kinds(kind, kind),
                new Facts.Kinds(kind, MemoryKind.HOST),
                new Facts.Kinds(MemoryKind.HOST, kind));
    }
}
