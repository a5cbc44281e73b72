package io.weft.tck.harness;

import io.weft.api.MemoryKind;
import io.weft.spi.Capabilities;
import io.weft.spi.Limits;
import io.weft.spi.OperationKind;
import io.weft.spi.TransferSupport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the backend under test says of itself.
 *
 * @param name provider name
 * @param version provider version
 * @param spiLevel the SPI level it was built for
 * @param source the jar's name and the layer it was found in
 * @param capabilities declared capabilities
 * @param limits declared limits
 * @param device device memory that the run asks for, staged where the backend does not move it
 */
public record Facts(
        String name,
        String version,
        String spiLevel,
        String source,
        Capabilities capabilities,
        Limits limits,
        Optional<MemoryKind> device) {
    /**
     * A pair of memory kinds.
     *
     * @param local the initiator's
     * @param remote the target's
     */
    public record Kinds(MemoryKind local, MemoryKind remote) {
        @Override
        public String toString() {
            return local + "->" + remote;
        }
    }

    /**
     * Pairs that the backend moves both ways, directly or staged.
     *
     * @return host to host first, if it is among them
     */
    public List<Kinds> pairs() {
        Set<Kinds> both = new LinkedHashSet<>();
        for (TransferSupport support : capabilities.transfers()) {
            Kinds kinds = new Kinds(support.local(), support.remote());
            boolean read = capabilities
                    .find(OperationKind.READ, kinds.local, kinds.remote)
                    .isPresent();
            boolean write = capabilities
                    .find(OperationKind.WRITE, kinds.local, kinds.remote)
                    .isPresent();
            if (read && write) {
                both.add(kinds);
            }
        }
        device.ifPresent(kind -> both.addAll(DeviceKinds.pairs(kind)));
        List<Kinds> ordered = new ArrayList<>(both);
        ordered.sort((a, b) -> Boolean.compare(!isHost(a), !isHost(b)));
        return ordered;
    }

    private static boolean isHost(Kinds kinds) {
        return kinds.local.isHost() && kinds.remote.isHost();
    }
}
