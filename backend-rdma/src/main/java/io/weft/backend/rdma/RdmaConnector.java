package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.AskMemoryRegion;
import io.weft.backend.rdma.mori.ControlClient;
import io.weft.backend.rdma.mori.Notification;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.mori.RegEndpoint.Topology;
import io.weft.backend.rdma.verbs.Completions;
import io.weft.backend.rdma.verbs.DataPath;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.SendChain;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.LinkEvents;
import io.weft.spi.OptionValues;
import io.weft.spi.Peer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Makes links: a queue pair here, one there, and a read through the fabric that proves the way. Thread-safe. */
final class RdmaConnector {
    private static final long PARK_NANOS = 50_000;
    private static final long PLAIN_KEY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RdmaBackend backend;
    private final OptionValues options;
    private final PlainPeers plainPeers;
    private final Map<String, Integer> plainDevices = new ConcurrentHashMap<>();

    RdmaConnector(RdmaBackend backend, PlainPeers plainPeers, OptionValues options) {
        this.backend = backend;
        this.plainPeers = plainPeers;
        this.options = options;
    }

    RdmaLink connect(Peer peer, LinkEvents events, long deadlineNanos) {
        RdmaDevice device = backend.device();
        Ibv ibv = device.ibv();
        int depth = (int)
                Math.min(options.integer(RdmaOptions.DEPTH), device.facts().maxQpWr());
        int sges = (int) Math.min(
                options.integer(RdmaOptions.SGES),
                Math.min(device.facts().maxSge(), Math.max(1, device.facts().maxSgeRead())));
        Arena arena = Arena.ofShared();
        MemorySegment cq = null;
        QueuePairs pairs = null;
        Ibv.Mr landingMr = null;
        Inbox inbox = null;
        boolean up = false;
        try {
            int count = peer.isPlain() ? 1 : queuePairs(device, depth);
            cq = ibv.createCq(device.context(), count * depth + 1, device.channel());
            if (peer.isPlain()) {
                inbox = Inbox.open(device, plainPeers.receives(), plainPeers.arrivals(peer));
                QueuePair only = QueuePair.createPlain(device, cq, inbox.cq, depth, sges, plainPeers.receives());
                pairs = QueuePairs.of(device, only);
                inbox.attach(only);
            } else {
                int inline = (int) options.integer(RdmaOptions.INLINE);
                pairs = QueuePairs.create(device, cq, count, new Ibv.Depths(depth, sges, 1, inline));
            }
            long notifications = (long) backend.limits().operationsInFlight() * Notification.BYTES;
            MemorySegment landing = arena.allocate(RdmaLink.HELLO_BYTES + notifications, 64);
            landingMr = ibv.regMr(device.pd(), landing.address(), landing.byteSize(), Region.LOCAL_WRITE);
            QpAddress mine = pairs.address(0, 0, 0);
            QpAddress theirs = peer.isPlain()
                    ? askPlain(peer, mine, deadlineNanos)
                    : QpAddress.decode(ask(peer, mine.encode(), deadlineNanos));
            if (theirs.ethernet() != mine.ethernet()) {
                throw new WeftException(
                        ErrorCode.INCOMPATIBLE,
                        "rdma: " + peer.key() + " is on " + (theirs.ethernet() ? "Ethernet" : "InfiniBand")
                                + ", this side is not");
            }
            if (theirs.ends().size() != count) {
                throw new WeftException(
                        ErrorCode.PROTOCOL,
                        "rdma: " + peer.key() + " was asked for " + count + " queue pairs and made "
                                + theirs.ends().size());
            }
            pairs.connect(mine, theirs, options);
            RdmaLink.Wire wire = new RdmaLink.Wire(arena, pairs, cq, landing, landingMr, theirs, inbox);
            if (inbox == null) {
                prove(peer, wire, deadlineNanos);
            } else {
                backend.source().add(inbox);
            }
            RdmaLink link = new RdmaLink(backend, peer, events, wire, depth, sges);
            up = true;
            return link;
        } catch (VerbsException failed) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "rdma: connecting " + device.name() + " to " + peer.key() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            if (!up) {
                undo(peer, new Parts(arena, cq, pairs, landingMr, inbox));
            }
        }
    }

    /** As many as are wanted and as the device can make a completion queue for. */
    private int queuePairs(RdmaDevice device, int depth) {
        long fitting = Math.max(1, (device.facts().maxCqe() - 1) / depth);
        return (int) Math.min(options.integer(RdmaOptions.QP_PER_PEER), fitting);
    }

    /** What was made before connecting failed. */
    private record Parts(
            Arena arena,
            @Nullable MemorySegment cq,
            @Nullable QueuePairs pairs,
            Ibv.@Nullable Mr landingMr,
            @Nullable Inbox inbox) {}

    private void undo(Peer peer, Parts parts) {
        try {
            if (parts.pairs != null) {
                parts.pairs.destroy();
            }
            if (parts.landingMr != null) {
                backend.device().ibv().deregMr(parts.landingMr);
            }
            if (parts.cq != null) {
                backend.device().ibv().destroyCq(parts.cq);
            }
            if (parts.inbox != null) {
                parts.inbox.free();
            }
            parts.arena.close();
        } catch (VerbsException refused) {
            backend.complain("undoing the connection to " + peer.key(), refused);
        }
    }

    /** MORI's target side is ready to receive before it answers, so that there is nothing more to wait for. */
    private QpAddress askPlain(Peer peer, QpAddress mine, long deadlineNanos) {
        RegEndpoint request = mine.asPlain(
                backend.engineKey(),
                Topology.HOST,
                Topology.HOST,
                backend.device().port().number(),
                PlainPeers.DEVICE);
        RegEndpoint answer = ControlClient.ask(peer, request, backend.clock(), deadlineNanos);
        plainDevices.put(peer.key(), answer.device());
        return QpAddress.ofPlain(answer, backend.device());
    }

    /** Asks a plain engine for a region's key, on the device that its queue pair is on. */
    RemoteRegion importPlain(Peer peer, MemoryDescriptor descriptor) {
        Integer device = plainDevices.get(peer.key());
        if (device == null) {
            throw new WeftException(
                    ErrorCode.PEER_LOST, "rdma: the key of " + descriptor + " is asked for once a queue pair is there");
        }
        AskMemoryRegion answer = ControlClient.ask(
                peer,
                AskMemoryRegion.of(peer.key(), device, descriptor.id()),
                backend.clock(),
                backend.clock().nanos() + PLAIN_KEY_NANOS);
        if (!answer.isKnown() || answer.memory() != descriptor.id() || answer.length() != descriptor.length()) {
            throw new WeftException(
                    ErrorCode.REMOTE_ACCESS,
                    "rdma: MORI-IO engine " + peer.key() + " answered with "
                            + (answer.isKnown() ? answer.length() + " bytes" : "no region") + " for " + descriptor);
        }
        return new RemoteRegion(descriptor, answer.address(), answer.rkey());
    }

    private byte[] ask(Peer peer, byte[] request, long deadlineNanos) {
        long left = Math.max(1, deadlineNanos - backend.clock().nanos());
        try {
            return peer.call(request, deadlineNanos).get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof WeftException known) {
                throw known;
            }
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    "rdma: asking " + peer.key() + " for a queue pair: " + failed.getCause(),
                    failed);
        } catch (TimeoutException late) {
            throw unreachable(peer, "it did not answer the request for a queue pair");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw unreachable(peer, "interrupted while waiting for its queue pair");
        }
    }

    private void prove(Peer peer, RdmaLink.Wire wire, long deadlineNanos) {
        DataPath path = backend.device().path();
        SendChain chain = new SendChain(wire.arena(), 1, 1, 0);
        Completions completions = new Completions(wire.arena(), 1);
        chain.begin(0, SendChain.READ, wire.theirs().hello(), wire.theirs().helloKey());
        chain.add(
                wire.landing().address(), RdmaLink.HELLO_BYTES, wire.landingMr().lkey());
        for (int i = 0; i < wire.pairs().count(); i++) {
            int errno = chain.post(path, wire.pairs().qp(i));
            if (errno != 0) {
                throw unreachable(peer, "ibv_post_send gave errno " + errno);
            }
        }
        for (int i = 0; i < wire.pairs().count(); i++) {
            awaitProof(peer, wire, completions, deadlineNanos);
        }
    }

    private void awaitProof(Peer peer, RdmaLink.Wire wire, Completions completions, long deadlineNanos) {
        DataPath path = backend.device().path();
        int n;
        while ((n = completions.poll(path, wire.cq().address())) == 0) {
            if (backend.clock().nanos() - deadlineNanos >= 0) {
                throw unreachable(peer, "no answer through the fabric");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (n < 0 || completions.status(0) != 0) {
            long code = n < 0 ? 0 : WcStatus.pack(completions.status(0), completions.vendorError(0));
            throw unreachable(peer, WcStatus.describe(code));
        }
    }

    private WeftException unreachable(Peer peer, String found) {
        return new WeftException(
                ErrorCode.UNREACHABLE,
                "rdma: connecting " + backend.device().name() + " (GID index "
                        + backend.device().gidIndex() + ") to " + peer.key() + ": " + found
                        + "; check that both devices are on one network and that gid-index fits on both");
    }
}
