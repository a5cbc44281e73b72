package io.weft.ffi.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The NUMA node of a PCI device, from sysfs. */
final class PciNuma {
    private PciNuma() {}

    static String nodeOf(String pciBusId) {
        try {
            return Files.readString(Path.of("/sys/bus/pci/devices", pciBusId, "numa_node"))
                    .strip();
        } catch (IOException unknown) {
            return "-1";
        }
    }
}
