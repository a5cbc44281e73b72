package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.OptionValues;
import io.weft.spi.Peer;
import io.weft.spi.PeerRequests;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This engine as a target: queue pairs for each peer that asked for them, whose destruction is the fence (rule DL-5). A peer has
 * one link at a time, so its next request ends those of the one before.
 *
 * <p>Thread-safe; one lock over a map, held over verbs that do not wait for a network.
 */
final class RdmaTargets implements PeerRequests {
    private record Owner(String key, long incarnation) {
        static Owner of(Peer peer) {
            return new Owner(peer.key(), peer.incarnation());
        }
    }

    private record Inbound(long id, QueuePairs pairs) {}

    private final RdmaDevice device;
    private final OptionValues options;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment hello = arena.allocate(RdmaLink.HELLO_BYTES, 64);
    private final Ibv.Mr helloMr;
    private final MemorySegment cq;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Owner, Inbound> inbound = new HashMap<>();
    private long nextId = 1;
    private boolean closed;

    RdmaTargets(RdmaDevice device, OptionValues options) throws VerbsException {
        this.device = device;
        this.options = options;
        helloMr = device.ibv().regMr(device.pd(), hello.address(), hello.byteSize(), Region.REMOTE_READ);
        // Nothing is posted on these queue pairs, so nothing completes.
        cq = device.ibv().createCq(device.context(), 16, device.channel());
    }

    @Override
    public byte[] onCall(Peer peer, byte[] request) {
        QpAddress theirs = QpAddress.decode(request);
        lock.lock();
        try {
            if (closed) {
                throw new WeftException(ErrorCode.CLOSED, "rdma: this engine is closing");
            }
            end(inbound.remove(Owner.of(peer)));
            QueuePairs pairs = QueuePairs.create(device, cq, theirs.ends().size(), new Ibv.Depths(1, 1, 1, 0));
            QpAddress mine = pairs.address(nextId++, hello.address(), helloMr.rkey());
            try {
                pairs.connect(mine, theirs, options);
            } catch (VerbsException refused) {
                pairs.destroy();
                throw refused;
            }
            inbound.put(Owner.of(peer), new Inbound(mine.id(), pairs));
            return mine.encode();
        } catch (VerbsException failed) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "rdma: making " + theirs.ends().size() + " queue pairs for " + peer.key() + " on " + device.name()
                            + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onMessage(Peer peer, byte[] message) {
        long id = QpAddress.decodeClose(message);
        lock.lock();
        try {
            Inbound known = inbound.get(Owner.of(peer));
            if (known != null && known.id == id) {
                end(known);
                inbound.remove(Owner.of(peer));
            }
        } catch (VerbsException refused) {
            RdmaBackend.LOG.log(
                    System.Logger.Level.WARNING,
                    "WEFT-TEARDOWN rdma: ending the queue pairs of " + peer.key(),
                    refused);
        } finally {
            lock.unlock();
        }
    }

    /** Destroys what a peer could still reach memory through. */
    boolean fence(Peer peer) {
        lock.lock();
        try {
            Inbound known = inbound.get(Owner.of(peer));
            end(known);
            inbound.remove(Owner.of(peer));
            return true;
        } catch (VerbsException refused) {
            RdmaBackend.LOG.log(System.Logger.Level.WARNING, "WEFT-NOT-FENCED rdma: fencing " + peer.key(), refused);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static void end(@Nullable Inbound known) throws VerbsException {
        if (known != null) {
            known.pairs.destroy();
        }
    }

    void close() throws VerbsException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            for (Inbound known : inbound.values()) {
                end(known);
            }
            inbound.clear();
            device.ibv().deregMr(helloMr);
            device.ibv().destroyCq(cq);
            arena.close();
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
