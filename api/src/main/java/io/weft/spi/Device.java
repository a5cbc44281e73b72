package io.weft.spi;

import java.util.Map;
import java.util.Objects;

/**
 * A device found by a probe: a NIC port, a libfabric domain, a GPU.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param name the name the deployer knows it by
 * @param attributes facts for people and for {@code weft doctor}: state, numa, gid, mtu, pci, ...
 * @since 0.1
 */
public record Device(String name, Map<String, String> attributes) {
    /** Copies the map. */
    public Device {
        Objects.requireNonNull(name, "name");
        attributes = Map.copyOf(attributes);
    }
}
