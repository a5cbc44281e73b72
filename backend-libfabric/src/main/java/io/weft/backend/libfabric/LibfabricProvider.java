package io.weft.backend.libfabric;

import io.weft.api.MemoryKind;
import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemory;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import java.util.List;
import java.util.Map;

/** The entry of backend {@code libfabric}, found by {@link java.util.ServiceLoader}. */
public final class LibfabricProvider implements BackendProvider {
    /** For the service loader. */
    public LibfabricProvider() {}

    @Override
    public String name() {
        return "libfabric";
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public int priority() {
        // Below rdma: where both reach a NIC, verbs are the shorter way.
        return 45;
    }

    @Override
    public List<OptionSpec> options() {
        return LibfabricOptions.ALL;
    }

    @Override
    public Availability probe(ProbeContext context) {
        return new LibfabricProbe(context.options()).run();
    }

    @Override
    public Backend open(BackendContext context) {
        Map<MemoryKind, DeviceMemory> devices = Hmem.present(context);
        OpenedFabric fabric = ProviderChoice.open(context.options(), context.advertisedHost(), !devices.isEmpty());
        fabric.hmem().find(fabric, context.clock(), devices);
        return new LibfabricBackend(context, fabric);
    }
}
