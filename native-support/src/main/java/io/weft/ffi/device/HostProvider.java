package io.weft.ffi.device;

import io.weft.api.MemoryKind;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.SpiLevel;
import java.util.List;
import java.util.Map;

/** Host memory with huge pages and NUMA nodes, Linux only. Safe from any thread. */
public final class HostProvider implements DeviceMemoryProvider {
    static final List<Device> DEVICES = List.of(new Device("host", Map.of("name", "memory of this host")));

    /** For {@link java.util.ServiceLoader}; loads nothing. */
    public HostProvider() {}

    @Override
    public MemoryKind kind() {
        return MemoryKind.HOST;
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public Availability probe(long deadlineNanos) {
        String system = System.getProperty("os.name");
        return system.equals("Linux")
                ? Availability.usable(DEVICES)
                : Availability.unusable(
                        "huge pages and NUMA nodes are asked for by Linux's mmap and mbind; this is " + system,
                        "allocate with ordinary pages");
    }

    @Override
    public DeviceMemory open() {
        return new HostMemory();
    }
}
