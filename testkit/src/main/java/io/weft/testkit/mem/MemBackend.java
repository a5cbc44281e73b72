package io.weft.testkit.mem;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Capabilities;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.spi.RemoteMemory;
import io.weft.spi.Visibility;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Predicate;

/** The fabric "this process", opened for one engine. Peers are found by key and incarnation in a table of the process. */
final class MemBackend implements Backend {
    /** Held for reading by every copy, so that whoever gets it for writing knows that earlier copies are over. */
    static final StampedLock COPIES = new StampedLock();

    private static final Map<String, MemBackend> OPEN = new ConcurrentHashMap<>();

    final BackendContext context;
    final Set<MemLink> links = ConcurrentHashMap.newKeySet();
    final Set<MemLink> inbound = ConcurrentHashMap.newKeySet();
    private final String id;
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();

    MemBackend(BackendContext context) {
        this.context = context;
        this.id = context.engineKey() + "#" + Long.toHexString(context.incarnation());
        OPEN.put(id, this);
    }

    /** A region: nothing to pin here, so it only remembers what was registered. */
    record Region(MemorySpec spec, MemorySegment bytes) implements LocalMemory {}

    /** One peer's right to reach one region: what an rkey is on a real fabric. */
    record Grant(String key, MemBackend owner, Region region, String holder) {
        /** The target's own check, which no initiator can talk it out of (rule SEC-1b). */
        boolean allows(Access right, long offset, long length) {
            boolean within = offset >= 0 && length >= 0 && offset <= region.spec.length() - length;
            return within && region.spec.access().contains(right) && owner.grants.containsKey(key);
        }
    }

    /** A grant as its holder sees it. */
    record Imported(Grant grant, MemoryDescriptor descriptor) implements RemoteMemory {}

    @Override
    public Capabilities capabilities() {
        return Capabilities.builder()
                .supportsHost(Visibility.COMPLETION)
                .reach(Capabilities.Reach.PROCESS)
                .build();
    }

    @Override
    public Limits limits() {
        return Limits.NONE.withOperationBytes(4 << 20); // copies run inside post, which must not take long
    }

    @Override
    public byte[] localAddress() {
        return new byte[0];
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        return new Region(spec, spec.segment().orElseThrow());
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        return revoke(grant -> grant.region == memory, deadlineNanos);
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        String key = UUID.randomUUID().toString();
        grants.put(key, new Grant(key, this, (Region) memory, id(peer)));
        return key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
        Grant grant = find(peer).grants.get(new String(key, StandardCharsets.UTF_8));
        if (grant != null && grant.holder.equals(id)) {
            return new Imported(grant, descriptor);
        }
        throw new WeftException(
                ErrorCode.REMOTE_ACCESS,
                "mem: " + id(peer) + " knows no such key of " + descriptor + "; fetch it anew");
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        MemBackend target = find(peer);
        MemLink link = new MemLink(this, target, events, new MemLink.State());
        links.add(link);
        target.inbound.add(link);
        if (OPEN.get(target.id) != target) { // closed meanwhile, and may not have seen this link
            link.cut("engine " + target.id + " closed");
        }
        return link;
    }

    private static String id(Peer peer) {
        return peer.key() + "#" + Long.toHexString(peer.incarnation());
    }

    private static MemBackend find(Peer peer) {
        MemBackend target = OPEN.get(id(peer));
        if (target == null) {
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    "mem: engine " + id(peer) + " is not open in this process; between processes use another backend");
        }
        return target;
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        String initiator = id(peer);
        inbound.stream()
                .filter(link -> link.owner().id.equals(initiator))
                .forEach(link -> link.cut("cut off by " + id));
        return revoke(grant -> grant.holder.equals(initiator), deadlineNanos);
    }

    private boolean revoke(Predicate<Grant> which, long deadlineNanos) {
        grants.values().removeIf(which);
        // The wait is bounded, so an interrupt does not shorten it; it is kept for the caller.
        boolean interrupted = false;
        long stamp = 0;
        for (long left = 1;
                stamp == 0 && left > 0;
                left = deadlineNanos - context.clock().nanos()) {
            try {
                stamp = COPIES.tryWriteLock(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (stamp != 0) {
            COPIES.unlockWrite(stamp);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return stamp != 0;
    }

    @Override
    public void close(long deadlineNanos) {
        OPEN.remove(id, this);
        inbound.forEach(link -> link.cut("engine " + id + " closed"));
        boolean linksQuiet = links.stream().allMatch(link -> link.fence(deadlineNanos));
        if (!revoke(grant -> true, deadlineNanos) || !linksQuiet) {
            throw new WeftException(ErrorCode.INTERNAL, "mem: a copy of " + id + " did not end before the deadline");
        }
    }
}
