package io.weft.backend.rdma;

import java.util.Comparator;
import java.util.List;

/**
 * Where something hangs in the host.
 *
 * @param pci PCI addresses from its root complex down to itself; empty without one, as for Soft-RoCE
 * @param numa its NUMA node, -1 if unknown
 */
record Locality(List<String> pci, int numa) {
    static final Locality UNKNOWN = new Locality(List.of(), -1);

    /** A device and where it hangs. */
    record Place(String device, Locality locality) {}

    /** The devices, closest first: by shared PCI bridges, then by NUMA node, else as they come. */
    static List<String> closest(Locality to, List<Place> devices) {
        return devices.stream()
                .sorted(Comparator.comparingInt((Place place) -> -to.sharedBridges(place.locality))
                        .thenComparing(place -> !to.sameNode(place.locality)))
                .map(Place::device)
                .toList();
    }

    private int sharedBridges(Locality other) {
        int shared = 0;
        while (shared < Math.min(pci.size(), other.pci.size())
                && pci.get(shared).equals(other.pci.get(shared))) {
            shared++;
        }
        return shared;
    }

    private boolean sameNode(Locality other) {
        return numa >= 0 && numa == other.numa;
    }
}
