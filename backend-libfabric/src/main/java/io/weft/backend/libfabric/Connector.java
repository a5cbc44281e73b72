package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.FiCqErrEntry;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Makes links: endpoint here, endpoint there, and a read through the fabric that proves the way. Stateless; thread-safe. */
final class Connector {
    private static final long PARK_NANOS = 50_000;
    /** A fence of an earlier link that comes late closes the new link's endpoint as well, hardly more than once. */
    private static final int ATTEMPTS = 3;

    private static final long CLEANUP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LibfabricBackend backend;

    Connector(LibfabricBackend backend) {
        this.backend = backend;
    }

    LibfabricLink connect(Peer peer, LinkEvents events, long deadlineNanos) {
        if (peer.isPlain()) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "libfabric: " + peer.key() + " is a plain MORI-IO engine, which has no libfabric backend");
        }
        checkProvider(peer);
        TargetWatch watch = backend.watch(peer);
        LibfabricLink link = null;
        try {
            for (int attempt = 1; link == null; attempt++) {
                link = attempt(peer, events, watch, attempt == ATTEMPTS, deadlineNanos);
            }
            return link;
        } catch (OfiException failed) {
            throw new WeftException(
                    NativeCodes.codeOf(failed.errno()),
                    "libfabric: connecting to " + peer.key() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            if (link == null) {
                backend.unwatch(watch);
            }
        }
    }

    /** Null if the way broke while it was made, except in the last attempt. */
    private @Nullable LibfabricLink attempt(
            Peer peer, LinkEvents events, TargetWatch watch, boolean last, long deadlineNanos) throws OfiException {
        RmaEndpoint endpoint = RmaEndpoint.open(
                backend.fabric(), backend.window() + 2 * backend.limits().operationsInFlight());
        LibfabricLink link = null;
        try {
            link = greet(peer, events, endpoint, watch, last, deadlineNanos);
            return link;
        } finally {
            if (link == null) {
                endpoint.close(backend.clock(), backend.clock().nanos() + CLEANUP_NANOS, () -> {});
            }
        }
    }

    private void checkProvider(Peer peer) {
        Greeting.Address theirs = Greeting.Address.decode(peer.address());
        String ours = backend.fabric().traits().facts().provider();
        if (!theirs.provider().equals(ours)) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "libfabric: " + peer.key() + " uses provider " + theirs.provider() + ", this engine " + ours
                            + "; set weft.backend.libfabric.provider to the same on both");
        }
    }

    private @Nullable LibfabricLink greet(
            Peer peer, LinkEvents events, RmaEndpoint endpoint, TargetWatch watch, boolean last, long deadlineNanos)
            throws OfiException {
        byte[] request = new Greeting.Open(endpoint.name).encode();
        Greeting.Opened opened = Greeting.Opened.decode(ask(peer, request, deadlineNanos));
        endpoint.pairWith(opened.target());
        long remote = endpoint.av.insert(opened.target());
        RemoteRegion there = importKey(MemoryDescriptor.builder().build(), opened.helloKey());
        HelloRead hello = new HelloRead(backend.fabric(), endpoint, remote, there.base(), there.key());
        if (!prove(peer, endpoint, hello, opened, watch, last, deadlineNanos)) {
            return null;
        }
        return new LibfabricLink(backend, peer, events, endpoint, hello, watch, opened.id(), remote);
    }

    private byte[] ask(Peer peer, byte[] request, long deadlineNanos) {
        long left = Math.max(1, deadlineNanos - backend.clock().nanos());
        try {
            return peer.call(request, deadlineNanos).get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() instanceof CompletionException nested && nested.getCause() != null
                    ? nested.getCause()
                    : failed.getCause();
            if (cause instanceof WeftException known) {
                throw known;
            }
            throw new WeftException(
                    ErrorCode.UNREACHABLE, "libfabric: asking " + peer.key() + " for an endpoint: " + cause, failed);
        } catch (TimeoutException late) {
            throw unreachable(peer, "it did not answer the request for an endpoint");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw unreachable(peer, "interrupted while waiting for its endpoint");
        }
    }

    /** Reads the target's bytes through the fabric; false if the target's endpoint is closed and another may be asked for. */
    private boolean prove(
            Peer peer,
            RmaEndpoint endpoint,
            HelloRead hello,
            Greeting.Opened opened,
            TargetWatch watch,
            boolean last,
            long deadlineNanos) {
        boolean posted = false;
        while (true) {
            // The target's close may take this endpoint out of use as well, where both ends are in this process.
            boolean usable = endpoint.gate.enter();
            long n = OfiCq.EMPTY;
            if (usable) {
                try {
                    posted = posted || hello.postFirst();
                    n = endpoint.cq.read(endpoint.entries.address(), 1);
                } finally {
                    endpoint.gate.leave();
                }
            }
            if (hello.refused() != 0) {
                throw unreachable(peer, "provider refused: " + backend.describeNative(hello.refused()));
            }
            if (n == 1) {
                break;
            }
            if (!usable || watch.isGone(opened.id())) {
                if (last) {
                    throw unreachable(peer, "the target closed each of " + ATTEMPTS + " endpoints that it made");
                }
                return false;
            }
            if (n == OfiCq.ERROR_AVAILABLE) {
                if (!last) {
                    return false;
                }
                endpoint.cq.readError(endpoint.error);
                int error = FiCqErrEntry.err(endpoint.error);
                throw unreachable(
                        peer,
                        backend.describeNative(NativeCodes.pack(error, FiCqErrEntry.providerErrno(endpoint.error))));
            }
            if (backend.clock().nanos() - deadlineNanos >= 0) {
                throw unreachable(peer, posted ? "no answer through the fabric" : "no connection through the fabric");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (!Arrays.equals(hello.bytes(), opened.hello())) {
            throw new WeftException(
                    ErrorCode.PROTOCOL,
                    "libfabric: the first read from " + peer.key() + " brought other bytes than it announced");
        }
        return true;
    }

    private WeftException unreachable(Peer peer, String found) {
        return new WeftException(
                ErrorCode.UNREACHABLE,
                "libfabric: connecting to " + peer.key() + " by provider "
                        + backend.fabric().traits().facts().provider() + ": " + found
                        + "; check that both engines use the same network (domain, fabric) and that it is open between them");
    }

    RemoteRegion importKey(MemoryDescriptor descriptor, RegionKey key) {
        if (!key.raw()) {
            return new RemoteRegion(descriptor, key.base(), key.plainKey(), false);
        }
        try {
            return new RemoteRegion(
                    descriptor, key.base(), backend.fabric().domain().mapRawKey(key.base(), key.key()), true);
        } catch (OfiException refused) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "libfabric: mapping a peer's raw key: " + refused.getMessage(),
                    refused.errno(),
                    refused);
        }
    }
}
