package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.FiCqErrEntry;
import io.weft.backend.libfabric.ofi.OfiAv;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiEndpoint;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.ffi.Gate;
import io.weft.ffi.SignalHandlers;
import io.weft.spi.EngineClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with an address vector and a completion queue of its own, so that closing it disturbs no other.
 *
 * <p>Threading: native calls are made inside {@link #gate}; {@link #entries} and {@link #error} belong to the thread that polls. Freed
 * by {@link #close}, which waits for the gate to be empty.
 */
final class RmaEndpoint {
    /** Completions taken at once. */
    static final int BATCH = 64;

    /**
     * Endpoints of shm in this process by name: two of them share one mapping of their queues, so neither may be used once the
     * other is unmapped.
     */
    private static final ConcurrentHashMap<ByteBuffer, RmaEndpoint> SHARED = new ConcurrentHashMap<>();

    private static final ShmSegments SEGMENTS = ShmSegments.ofThisHost();

    /** Held while one of a pair looks a last time and is freed. */
    private static final ReentrantLock PAIRS = new ReentrantLock();

    final Gate gate = new Gate();
    final Arena arena = Arena.ofShared();
    final OfiEndpoint endpoint;
    final OfiAv av;
    final OfiCq cq;
    final int waitFd;
    final byte[] name;
    /** The other end, where it is in this process and maps the same pages. */
    private volatile @Nullable RmaEndpoint partner;

    private volatile boolean orphaned;
    /**
     * Whether freeing has begun. A refused {@code fi_close} may have taken half of the endpoint down: reading its queue makes progress
     * on what is left, and has crashed the process (verbs;ofi_rxm 1.17). Only closing is tried again.
     */
    private volatile boolean freeing;

    private final List<Owned> owned = new ArrayList<>();

    final MemorySegment entries = arena.allocate(OfiCq.ENTRY_BYTES * BATCH, 8);
    final MemorySegment error = FiCqErrEntry.allocate(arena);

    private RmaEndpoint(OfiEndpoint endpoint, OfiAv av, OfiCq cq, int waitFd, byte[] name) {
        this.endpoint = endpoint;
        this.av = av;
        this.cq = cq;
        this.waitFd = waitFd;
        this.name = name;
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
            int waitFd = fabric.waits() ? cq.waitFd() : -1;
            RmaEndpoint made = new RmaEndpoint(endpoint, av, cq, waitFd, endpoint.name());
            if (fabric.traits().isShm()) {
                SHARED.put(ByteBuffer.wrap(made.name), made);
                SEGMENTS.created(made.name);
            }
            return made;
        } catch (OfiException failed) {
            closeAll(endpoint, cq, av, failed);
            throw failed;
        } finally {
            before.restore();
        }
    }

    /** What ends with an endpoint. */
    @FunctionalInterface
    interface Owned {
        void close() throws OfiException;
    }

    /** Closes a registration of this endpoint's own memory, or a key it uses, with it. Before the endpoint is used by others. */
    void own(Owned one) {
        owned.add(one);
    }

    /** Remembers the other end if it is in this process. */
    void pairWith(byte[] otherName) {
        partner = SHARED.get(ByteBuffer.wrap(otherName));
    }

    /** Whether the other end, in this process, was closed and took this one out of use. */
    boolean isOrphaned() {
        return orphaned;
    }

    /**
     * Frees everything: afterwards nothing is sent from or received through the endpoint.
     *
     * @param lastLook runs once nobody else uses the endpoint, to take what has completed; not at all if that is no longer safe, as
     *     after an earlier close that the library refused
     * @return false if a thread did not leave its native call before the deadline; nothing is freed then
     * @throws OfiException if the library refuses
     */
    boolean close(EngineClock clock, long deadlineNanos, Runnable lastLook) throws OfiException {
        gate.shut();
        if (!gate.awaitEmpty(clock, deadlineNanos)) {
            return false;
        }
        RmaEndpoint other = partner;
        if (other == null) {
            lookAndFree(lastLook);
            return true;
        }
        other.gate.shut();
        if (!other.gate.awaitEmpty(clock, deadlineNanos)) {
            return false;
        }
        PAIRS.lock();
        try {
            other.orphaned = true;
            lookAndFree(orphaned ? () -> {} : lastLook);
            return true;
        } finally {
            PAIRS.unlock();
        }
    }

    private void lookAndFree(Runnable lastLook) throws OfiException {
        if (!freeing) {
            lastLook.run();
        }
        freeing = true;
        free();
    }

    private void free() throws OfiException {
        endpoint.close();
        if (SHARED.remove(ByteBuffer.wrap(name), this)) {
            SEGMENTS.closed(name);
        }
        for (Owned one : owned) {
            one.close();
        }
        owned.clear();
        cq.close();
        av.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private static void closeAll(
            @Nullable OfiEndpoint endpoint, @Nullable OfiCq cq, @Nullable OfiAv av, OfiException cause) {
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
