package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.FabricFacts;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.spi.Capabilities.Enforcement;
import java.util.List;

/**
 * What a provider really does, where its attributes do not say it or say it wrongly. Each line here was measured or read in the
 * provider's documentation; docs/libfabric.md names which.
 *
 * @param facts its attributes
 */
record ProviderTraits(FabricFacts facts) {
    /** The order in which providers are tried if none is named: network hardware first, then sockets. */
    static final List<String> ORDER = List.of("cxi", "efa", "verbs", "psm3", "opx", "tcp");

    /** Those whose delivery-complete means that the bytes are in the target's memory. */
    private static final List<String> DELIVER = List.of("tcp", "net", "sockets", "shm", "efa", "cxi", "psm3", "opx");

    /** The lowest layer's name: {@code tcp} for {@code tcp;ofi_rxm}. */
    String core() {
        String name = facts.provider();
        int layer = name.indexOf(';');
        return layer < 0 ? name : name.substring(0, layer);
    }

    boolean isShm() {
        return core().equals("shm");
    }

    /**
     * Whether a write's completion says only that the other NIC has it, so that a read must follow before success is reported
     * (verbs under ofi_rxm; unknown providers are not trusted either).
     */
    boolean needsFlush() {
        return !DELIVER.contains(core());
    }

    /** shm maps the peer's queues, so a hostile peer is inside this process's memory whatever the keys are. */
    Enforcement enforcement() {
        return isShm() ? Enforcement.INITIATOR : Enforcement.TARGET;
    }

    /**
     * Operations in flight. shm takes one at a time while it copies through the shared segment: more would only make it hold
     * its lock when the other process dies.
     */
    int window(long wanted) {
        return isShm() ? 1 : (int) Math.min(wanted, Math.max(1, facts.txSize()));
    }

    /**
     * A poll of a target's endpoint that finds nothing is quicker than this; a longer one has moved bytes, though no completion
     * tells of it. Where a poll is no system call it is quick, and so is moving a few bytes.
     */
    long emptyPollNanos() {
        return isShm() ? 200 : 3_000;
    }

    /** Segments that one operation of the provider carries. */
    int segmentsPerMessage() {
        return (int) Math.max(1, Math.min(facts.iovLimit(), facts.rmaIovLimit()));
    }

    /** Where a peer's region begins in the provider's addressing. */
    long remoteBase(long address) {
        return facts.needs(Fi.MR_VIRT_ADDR) ? address : 0;
    }
}
