package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.BackendContext;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import io.weft.spi.Peer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This engine as a target: an endpoint for each peer that asked for one. A peer has one link at a time, so its next request closes the
 * endpoint of the one before.
 *
 * <p>Thread-safe; called on control threads, one lock over a map, held over native calls that do not wait for a network.
 */
final class TargetEndpoints {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int QUEUE_ENTRIES = 256;

    private record Owner(String key, long incarnation) {
        static Owner of(Peer peer) {
            return new Owner(peer.key(), peer.incarnation());
        }
    }

    private final OpenedFabric fabric;
    private final FabricSource source;
    private final EngineClock clock;
    private final Metrics.Counter errors;
    private final int most;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment hello = arena.allocate(Greeting.HELLO_BYTES, 64);
    private final byte[] helloBytes = new byte[Greeting.HELLO_BYTES];
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Owner, TargetEndpoint> current = new HashMap<>();
    private final List<TargetEndpoint> closing = new ArrayList<>();
    private @Nullable OfiMr sharedHello;
    private long nextId = 1;
    private boolean closed;

    TargetEndpoints(OpenedFabric fabric, FabricSource source, BackendContext context, int most) {
        this.fabric = fabric;
        this.source = source;
        this.clock = context.clock();
        this.errors = context.metrics().counter("target.errors");
        this.most = most;
        new SecureRandom().nextBytes(helloBytes);
        MemorySegment.copy(helloBytes, 0, hello, ValueLayout.JAVA_BYTE, 0, helloBytes.length);
    }

    /** Makes an endpoint for the peer that asks. */
    byte[] onCall(Peer peer, byte[] request) {
        Greeting.Open open = Greeting.Open.decode(request);
        lock.lock();
        try {
            refuseIfClosed();
            replace(peer);
            return open(peer, open.initiator()).encode();
        } catch (OfiException failed) {
            throw new WeftException(
                    NativeCodes.codeOf(failed.errno()),
                    "libfabric: making an endpoint for " + peer.key() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            lock.unlock();
        }
    }

    /** Closes an endpoint that its peer no longer needs. */
    void onClose(Peer peer, long id) {
        lock.lock();
        try {
            TargetEndpoint endpoint = current.get(Owner.of(peer));
            if (endpoint != null && endpoint.id == id) {
                current.remove(Owner.of(peer));
                retire(endpoint, clock.nanos() + CLOSE_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new WeftException(ErrorCode.CLOSED, "libfabric: this engine is closing");
        }
    }

    private void replace(Peer peer) {
        TargetEndpoint before = current.remove(Owner.of(peer));
        if (before != null && !retire(before, clock.nanos() + CLOSE_NANOS)) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "libfabric: the endpoint of the earlier link of " + peer.key() + " could not be closed");
        }
    }

    private Greeting.Opened open(Peer peer, byte[] initiator) throws OfiException {
        TargetEndpoint endpoint = make(peer);
        try {
            if (initiator.length > 0) {
                endpoint.endpoint().pairWith(initiator);
                endpoint.endpoint().av.insert(initiator);
            }
            OfiMr mr = helloOf(endpoint);
            RegionKey key = Region.keyOf(fabric, mr, hello.address());
            return new Greeting.Opened(endpoint.id, endpoint.endpoint().name, key, helloBytes);
        } catch (OfiException failed) {
            current.remove(Owner.of(peer));
            retire(endpoint, clock.nanos() + CLOSE_NANOS);
            throw failed;
        }
    }

    private TargetEndpoint make(Peer peer) throws OfiException {
        if (current.size() >= most) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "libfabric: " + most + " peers already reach this engine; raise weft.backend.libfabric.max-peers");
        }
        RmaEndpoint made = RmaEndpoint.open(fabric, QUEUE_ENTRIES);
        TargetEndpoint endpoint =
                new TargetEndpoint(nextId++, peer, made, errors, fabric.traits().emptyPollNanos());
        current.put(Owner.of(peer), endpoint);
        source.add(endpoint);
        return endpoint;
    }

    private OfiMr helloOf(TargetEndpoint endpoint) throws OfiException {
        if (fabric.traits().facts().needs(Fi.MR_ENDPOINT)) {
            OfiMr mr = Region.register(fabric, hello.address(), hello.byteSize(), Fi.REMOTE_READ);
            endpoint.keep(mr);
            mr.enableOn(endpoint.endpoint().endpoint);
            return mr;
        }
        if (sharedHello == null) {
            sharedHello = Region.register(fabric, hello.address(), hello.byteSize(), Fi.REMOTE_READ);
        }
        return sharedHello;
    }

    /** Takes an endpoint out of use; what cannot be closed in time is tried again by the next fence and by close. */
    private boolean retire(TargetEndpoint endpoint, long deadlineNanos) {
        source.remove(endpoint);
        if (closeNow(endpoint, deadlineNanos)) {
            return true;
        }
        closing.add(endpoint);
        return false;
    }

    private boolean closeNow(TargetEndpoint endpoint, long deadlineNanos) {
        try {
            return endpoint.close(clock, deadlineNanos);
        } catch (OfiException refused) {
            LibfabricBackend.LOG.log(
                    System.Logger.Level.WARNING,
                    "WEFT-TEARDOWN libfabric: closing the endpoint of " + endpoint.peer.key() + " was refused",
                    refused);
            return false;
        }
    }

    /** Closes whatever a peer could still reach memory through, and tells the peer, whose link is of no use any more. */
    boolean fence(Peer peer, long deadlineNanos) {
        TargetEndpoint endpoint;
        boolean done = true;
        lock.lock();
        try {
            endpoint = current.remove(Owner.of(peer));
            if (endpoint != null) {
                done = retire(endpoint, deadlineNanos);
            }
            for (Iterator<TargetEndpoint> it = closing.iterator(); it.hasNext(); ) {
                TargetEndpoint late = it.next();
                if (Owner.of(late.peer).equals(Owner.of(peer)) && late != endpoint) {
                    if (closeNow(late, deadlineNanos)) {
                        it.remove();
                    } else {
                        done = false;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        if (endpoint != null) {
            peer.send(new Greeting.Gone(endpoint.id).encode());
        }
        return done;
    }

    /**
     * Registers a region for one peer alone, where registrations hang on endpoints.
     *
     * @return its registration, closed with the peer's endpoint
     */
    OfiMr registerFor(Peer peer, Region region) throws OfiException {
        lock.lock();
        try {
            refuseIfClosed();
            TargetEndpoint endpoint = current.get(Owner.of(peer));
            if (endpoint == null) {
                endpoint = make(peer);
            }
            return endpoint.register(fabric, region);
        } finally {
            lock.unlock();
        }
    }

    /** Closes every registration of a region that hangs on an endpoint. */
    void unregister(Region region) throws OfiException {
        lock.lock();
        try {
            for (TargetEndpoint endpoint : current.values()) {
                endpoint.unregister(region);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes everything; false if an endpoint is still in use. */
    boolean close(long deadlineNanos) throws OfiException {
        lock.lock();
        try {
            closed = true;
            closing.addAll(current.values());
            current.clear();
            for (Iterator<TargetEndpoint> it = closing.iterator(); it.hasNext(); ) {
                TargetEndpoint endpoint = it.next();
                source.remove(endpoint);
                if (closeNow(endpoint, deadlineNanos)) {
                    it.remove();
                }
            }
            if (!closing.isEmpty()) {
                return false;
            }
            if (sharedHello != null) {
                sharedHello.close();
                sharedHello = null;
            }
            if (arena.scope().isAlive()) {
                arena.close();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
