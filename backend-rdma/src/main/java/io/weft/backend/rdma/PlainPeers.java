package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.AskMemoryRegion;
import io.weft.backend.rdma.mori.ControlServer;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.BackendContext;
import io.weft.spi.Metrics;
import io.weft.spi.Peer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * This engine as a target of plain MORI-IO engines: a queue pair for each that one asks for, up to a limit, and the keys of regions for
 * whoever has a queue pair. Their destruction is the fence (rule DL-5).
 *
 * <p>Thread-safe; one lock over a map, held over verbs that do not wait for a network.
 */
final class PlainPeers implements ControlServer.Handler {
    /** Index of the one device in use; of meaning to this side only. */
    static final int DEVICE = 0;

    private record Endpoint(QueuePair pair, Inbox inbox, String address) {}

    private final BackendContext context;
    private final RdmaDevice device;
    private final RdmaSource source;
    private final IntFunction<@Nullable Region> regions;
    private final Metrics.Counter refused;
    private final Map<String, PlainArrivals> arrivals = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Deque<Endpoint>> endpoints = new HashMap<>();
    private boolean closed;

    PlainPeers(BackendContext context, RdmaDevice device, RdmaSource source, IntFunction<@Nullable Region> regions) {
        this.context = context;
        this.device = device;
        this.source = source;
        this.regions = regions;
        refused = context.metrics().counter("plain.refused");
    }

    /** What takes the notifications of a peer. */
    PlainArrivals arrivals(Peer peer) {
        return arrivals.computeIfAbsent(
                peer.key(), key -> new PlainArrivals(peer, context.inbound(), context.metrics()));
    }

    int receives() {
        return (int) Math.min(
                context.options().integer(RdmaOptions.PLAIN_RECEIVES),
                device.facts().maxQpWr());
    }

    @Override
    public RegEndpoint onEndpoint(RegEndpoint request, String remoteAddress) {
        Peer known = context.peers().find(request.engineKey()).orElse(null);
        if (known != null && !known.isPlain()) {
            throw new WeftException(
                    ErrorCode.AUTHENTICATION,
                    "rdma: " + remoteAddress + " asks for a queue pair in the name of " + known.key()
                            + ", which is a Weft engine and asks over its own connection");
        }
        Peer peer = context.peers().admitPlain(request.engineKey(), remoteAddress);
        lock.lock();
        try {
            if (closed) {
                throw new WeftException(ErrorCode.CLOSED, "rdma: this engine is closing");
            }
            Deque<Endpoint> ofPeer = endpoints.computeIfAbsent(peer.key(), key -> new ArrayDeque<>());
            if (ofPeer.size() >= context.options().integer(RdmaOptions.PLAIN_ENDPOINTS)) {
                if (!end(ofPeer.getFirst(), deadline())) {
                    throw new WeftException(
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "rdma: MORI-IO engine " + peer.key() + " has " + ofPeer.size()
                                    + " queue pairs here and the oldest is in use; weft.backend.rdma.plain-endpoints is the"
                                    + " limit");
                }
                ofPeer.removeFirst();
            }
            Endpoint made = make(peer, QpAddress.ofPlain(request, device), remoteAddress);
            ofPeer.addLast(made);
            source.add(made.inbox);
            return answer(request, made.pair);
        } catch (VerbsException failed) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "rdma: making a queue pair for MORI-IO engine " + peer.key() + " on " + device.name() + ": "
                            + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            lock.unlock();
        }
    }

    private long deadline() {
        return context.clock().nanos() + RdmaBackend.QUIESCE.toNanos();
    }

    private Endpoint make(Peer peer, QpAddress theirs, String remoteAddress) throws VerbsException {
        Inbox inbox = Inbox.open(device, receives(), arrivals(peer));
        QueuePair pair = null;
        boolean made = false;
        try {
            pair = QueuePair.createPlain(device, inbox.cq, inbox.cq, 1, 1, receives());
            inbox.attach(pair);
            pair.connect(pair.address(), theirs, theirs.ends().getFirst(), context.options());
            made = true;
            return new Endpoint(pair, inbox, remoteAddress);
        } finally {
            if (!made) {
                if (pair != null) {
                    pair.destroy();
                }
                inbox.free();
            }
        }
    }

    private RegEndpoint answer(RegEndpoint request, QueuePair pair) {
        QpAddress mine = pair.address();
        return mine.asPlain(
                context.engineKey(),
                request.initiatorSide(),
                request.targetSide(),
                device.port().number(),
                DEVICE);
    }

    /** Keys go to who has a queue pair, since the request names no sender; zeros say that the region is unknown. */
    @Override
    public AskMemoryRegion onRegion(AskMemoryRegion request, String remoteAddress) {
        lock.lock();
        try {
            if (endpoints.values().stream()
                    .noneMatch(all -> all.stream().anyMatch(e -> e.address.equals(remoteAddress)))) {
                throw new WeftException(
                        ErrorCode.AUTHENTICATION,
                        "rdma: " + remoteAddress + " asks for a region's key and has no queue pair with this engine");
            }
        } finally {
            lock.unlock();
        }
        Region region = request.device() == DEVICE ? regions.apply(request.memory()) : null;
        return region == null
                ? request.answer(0, 0, 0)
                : request.answer(
                        region.spec().address(),
                        region.mr().rkey(),
                        region.spec().length());
    }

    @Override
    public void onRefused() {
        refused.add(1);
    }

    /** Destroys what a peer could still reach memory through. */
    boolean fence(Peer peer, long deadlineNanos) {
        lock.lock();
        try {
            return endAll(peer.key(), deadlineNanos);
        } catch (VerbsException refusal) {
            RdmaBackend.LOG.log(
                    System.Logger.Level.WARNING, "WEFT-NOT-FENCED rdma: fencing MORI-IO engine " + peer.key(), refusal);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean endAll(String key, long deadlineNanos) throws VerbsException {
        Deque<Endpoint> ofPeer = endpoints.getOrDefault(key, new ArrayDeque<>());
        while (!ofPeer.isEmpty()) {
            if (!end(ofPeer.getFirst(), deadlineNanos)) {
                return false;
            }
            ofPeer.removeFirst();
        }
        endpoints.remove(key);
        arrivals.remove(key);
        return true;
    }

    private boolean end(Endpoint endpoint, long deadlineNanos) throws VerbsException {
        source.remove(endpoint.inbox);
        if (!endpoint.inbox.stop(context.clock(), deadlineNanos)) {
            return false;
        }
        endpoint.pair.destroy();
        endpoint.inbox.free();
        return true;
    }

    /** Ends all; false if one was still in use at the deadline. */
    boolean close(long deadlineNanos) throws VerbsException {
        lock.lock();
        try {
            closed = true;
            for (String key : List.copyOf(endpoints.keySet())) {
                if (!endAll(key, deadlineNanos)) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
