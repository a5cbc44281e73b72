package io.weft.testkit.device;

import io.weft.api.MemoryKind;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.SpiLevel;
import java.util.List;
import java.util.Map;

/** The provider of kind {@code fake}: two devices. Safe from any thread. */
public final class FakeDeviceProvider implements DeviceMemoryProvider {
    /** The kind. */
    public static final MemoryKind KIND = new MemoryKind("fake");

    static final List<Device> DEVICES = List.of(
            new Device("fake:0", Map.of("name", "fake device 0", "numa", "0", "pci", "none")),
            new Device("fake:1", Map.of("name", "fake device 1", "numa", "0", "pci", "none")));

    /** Loads nothing. */
    public FakeDeviceProvider() {}

    @Override
    public MemoryKind kind() {
        return KIND;
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public Availability probe(long deadlineNanos) {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Availability.unusable(
                    "the fake device maps memory by memfd_create, which " + System.getProperty("os.name") + " lacks",
                    "run it on Linux");
        }
        return Availability.usable(DEVICES);
    }

    @Override
    public DeviceMemory open() {
        return new FakeDeviceMemory();
    }
}
