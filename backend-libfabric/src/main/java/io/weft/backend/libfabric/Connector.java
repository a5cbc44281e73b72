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

/** Makes links: endpoint here, endpoint there, and a read through the fabric that proves the way. Stateless; thread-safe. */
final class Connector {
    private static final long PARK_NANOS = 50_000;
    /** A fence of an earlier link that comes late closes the new link's endpoint as well, hardly more than once. */
    private static final int ATTEMPTS = 3;

    private static final String TARGET_CLOSED = "the target closed the endpoint that it made";
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
        boolean made = false;
        try {
            LibfabricLink link = tryRepeatedly(peer, events, watch, deadlineNanos);
            made = true;
            return link;
        } catch (OfiException failed) {
            throw new WeftException(
                    NativeCodes.codeOf(failed.errno()),
                    "libfabric: connecting to " + peer.key() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            if (!made) {
                backend.unwatch(watch);
            }
        }
    }

    private LibfabricLink tryRepeatedly(Peer peer, LinkEvents events, TargetWatch watch, long deadlineNanos)
            throws OfiException {
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(peer, events, watch, deadlineNanos);
            } catch (WayBroken broken) {
                if (attempt == ATTEMPTS) {
                    throw unreachable(
                            peer, "each of " + ATTEMPTS + " attempts broke, the last: " + broken.getMessage());
                }
            }
        }
    }

    private LibfabricLink attempt(Peer peer, LinkEvents events, TargetWatch watch, long deadlineNanos)
            throws OfiException, WayBroken {
        RmaEndpoint endpoint = RmaEndpoint.open(
                backend.fabric(), backend.window() + 2 * backend.limits().operationsInFlight());
        boolean made = false;
        try {
            LibfabricLink link = greet(peer, events, endpoint, watch, deadlineNanos);
            made = true;
            return link;
        } finally {
            if (!made) {
                endpoint.close(backend.clock(), backend.clock().nanos() + CLEANUP_NANOS, () -> {});
            }
        }
    }

    /** The way broke while it was made; another attempt may get through. */
    private static final class WayBroken extends Exception {
        private static final long serialVersionUID = 1;

        WayBroken(String found) {
            super(found);
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

    private LibfabricLink greet(
            Peer peer, LinkEvents events, RmaEndpoint endpoint, TargetWatch watch, long deadlineNanos)
            throws OfiException, WayBroken {
        byte[] request = new Greeting.Open(endpoint.name).encode();
        Greeting.Opened opened = Greeting.Opened.decode(ask(peer, request, deadlineNanos));
        endpoint.pairWith(opened.target());
        long remote = endpoint.av.insert(opened.target());
        RemoteRegion there = importKey(MemoryDescriptor.builder().build(), opened.helloKey());
        if (there.mapped()) {
            endpoint.own(() -> backend.fabric().domain().unmapKey(there.key()));
        }
        HelloRead hello = new HelloRead(backend.fabric(), endpoint, remote, there.base(), there.key());
        while (!isRead(peer, endpoint, hello)) {
            if (watch.isGone(opened.id())) {
                throw new WayBroken(TARGET_CLOSED);
            }
            if (backend.clock().nanos() - deadlineNanos >= 0) {
                throw unreachable(
                        peer,
                        hello.isFirstPosted() ? "no answer through the fabric" : "no connection through the fabric");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (!Arrays.equals(hello.bytes(), opened.hello())) {
            throw new WeftException(
                    ErrorCode.PROTOCOL,
                    "libfabric: the first read from " + peer.key() + " brought other bytes than it announced");
        }
        return new LibfabricLink(backend, peer, events, endpoint, hello, watch, opened.id(), remote);
    }

    /** Posts the first read if that is still to be done; true once the target's bytes are here. */
    private boolean isRead(Peer peer, RmaEndpoint endpoint, HelloRead hello) throws WayBroken {
        if (!endpoint.gate.enter()) {
            // Where both ends are in this process, the target's close takes this endpoint out of use as well.
            throw new WayBroken(TARGET_CLOSED);
        }
        try {
            if (!hello.postFirst() && hello.refused() != 0) {
                throw unreachable(peer, "provider refused: " + backend.describeNative(hello.refused()));
            }
            long n = endpoint.cq.read(endpoint.entries.address(), 1);
            if (n == OfiCq.ERROR_AVAILABLE) {
                endpoint.cq.readError(endpoint.error);
                throw new WayBroken(backend.describeNative(NativeCodes.pack(
                        FiCqErrEntry.err(endpoint.error), FiCqErrEntry.providerErrno(endpoint.error))));
            }
            return n == 1;
        } finally {
            endpoint.gate.leave();
        }
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
