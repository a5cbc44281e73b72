package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.FiCqErrEntry;
import io.weft.backend.libfabric.ofi.OfiAv;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiEndpoint;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.ffi.SignalHandlers;
import io.weft.spi.EngineClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An endpoint with an address vector and a completion queue of its own, so that closing it disturbs no other.
 *
 * <p>Threading: native calls are made inside {@link #gate}; {@link #entries} and {@link #error} belong to the thread that polls. Freed
 * by {@link #close}, which waits for the gate to be empty.
 */
final class RmaEndpoint {
    /** Completions taken at once. */
    static final int BATCH = 64;

    final Gate gate = new Gate();
    final Arena arena = Arena.ofShared();
    final OfiEndpoint endpoint;
    final OfiAv av;
    final OfiCq cq;
    final int waitFd;
    final MemorySegment entries = arena.allocate(OfiCq.ENTRY_BYTES * BATCH, 8);
    final MemorySegment error = FiCqErrEntry.allocate(arena);

    private RmaEndpoint(OfiEndpoint endpoint, OfiAv av, OfiCq cq, int waitFd) {
        this.endpoint = endpoint;
        this.av = av;
        this.cq = cq;
        this.waitFd = waitFd;
    }

    static RmaEndpoint open(OpenedFabric fabric, int queueEntries) throws OfiException {
        // shm takes SIGSEGV, SIGBUS, SIGTERM and SIGINT when its first endpoint is made.
        SignalHandlers before = SignalHandlers.now();
        OfiAv av = null;
        OfiCq cq = null;
        OfiEndpoint endpoint = null;
        try {
            av = fabric.domain().openAv(8);
            cq = fabric.domain().openCq(queueEntries, fabric.waits() ? Fi.WAIT_FD : Fi.WAIT_NONE);
            endpoint = fabric.domain().openEndpoint(fabric.info());
            endpoint.enable(av, cq);
            return new RmaEndpoint(endpoint, av, cq, fabric.waits() ? cq.waitFd() : -1);
        } catch (OfiException failed) {
            closeAll(endpoint, cq, av, failed);
            throw failed;
        } finally {
            before.restore();
        }
    }

    /**
     * Frees everything: afterwards nothing is sent from or received through the endpoint.
     *
     * @return false if a thread did not leave its native call before the deadline; nothing is freed then
     * @throws OfiException if the library refuses
     */
    boolean close(EngineClock clock, long deadlineNanos) throws OfiException {
        gate.shut();
        if (!gate.awaitEmpty(clock, deadlineNanos)) {
            return false;
        }
        endpoint.close();
        cq.close();
        av.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
        return true;
    }

    private static void closeAll(OfiEndpoint endpoint, OfiCq cq, OfiAv av, OfiException cause) {
        try {
            if (endpoint != null) {
                endpoint.close();
            }
            if (cq != null) {
                cq.close();
            }
            if (av != null) {
                av.close();
            }
        } catch (OfiException further) {
            cause.addSuppressed(further);
        }
    }
}
