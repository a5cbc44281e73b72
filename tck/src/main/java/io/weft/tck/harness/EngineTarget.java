package io.weft.tck.harness;

import io.weft.api.Access;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.PeerState;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.engine.Descriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A target whose engine is in this process. */
public final class EngineTarget implements Target {
    private static final int LOOK = 1 << 16;

    private final TransferEngine engine;
    private final Map<Integer, Region> regions = new ConcurrentHashMap<>();
    private final AtomicInteger handles = new AtomicInteger();
    private final Arena arena = Arena.ofShared();

    /**
     * Wraps an engine.
     *
     * @param engine the engine, closed by {@link #close}
     */
    public EngineTarget(TransferEngine engine) {
        this.engine = engine;
    }

    /**
     * The engine.
     *
     * @return the engine itself
     */
    public TransferEngine engine() {
        return engine;
    }

    /**
     * A region by its handle.
     *
     * @param handle the handle
     * @return the region
     */
    public Region region(int handle) {
        Region region = regions.get(handle);
        if (region == null) {
            throw new IllegalArgumentException("the target has no region of handle " + handle);
        }
        return region;
    }

    /**
     * Memory that is not registered and outlives the engine.
     *
     * @param length bytes
     * @return zeroed memory, freed by {@link #close}
     */
    public MemorySegment memoryThatStays(long length) {
        return arena.allocate(length, 4096);
    }

    @Override
    public byte[] descriptor() {
        return Descriptors.pack(engine.descriptor());
    }

    @Override
    public void addPeer(byte[] packed) {
        engine.addPeer(Descriptors.unpackEngine(packed));
    }

    @Override
    public void removePeer(String key) {
        engine.removePeer(key);
    }

    @Override
    public String peerState(String key) {
        return engine.peerState(key).map(PeerState::name).orElse("");
    }

    @Override
    public int allocate(String location, long length, Set<Access> rights) {
        MemoryLocation where = MemoryLocation.parse(location);
        RegisterOptions options = RegisterOptions.DEFAULT.withAccess(rights);
        // Host memory is the kit's own, so that it can still be looked at when the region is gone.
        return keep(
                where.kind().equals(MemoryKind.HOST)
                        ? engine.register(arena.allocate(length, 4096), options)
                        : engine.allocate(where, length, options));
    }

    private int keep(Region region) {
        int handle = handles.incrementAndGet();
        regions.put(handle, region);
        return handle;
    }

    @Override
    public byte[] memory(int region) {
        return Descriptors.pack(region(region).descriptor());
    }

    @Override
    public void put(int region, long offset, byte[] bytes) {
        MemoryContent.put(region(region), offset, bytes);
    }

    @Override
    public byte[] get(int region, long offset, int length) {
        return MemoryContent.get(region(region), offset, length);
    }

    @Override
    public void deregister(int region, long timeoutMillis) {
        region(region).deregister(Duration.ofMillis(timeoutMillis));
    }

    @Override
    public int registerAgain(int region, Set<Access> rights) {
        MemorySegment memory = region(region).segment().orElseThrow();
        return keep(engine.register(memory, RegisterOptions.DEFAULT.withAccess(rights)));
    }

    @Override
    public int registerPart(int region, long offset, long length, Set<Access> rights) {
        MemorySegment memory = region(region).segment().orElseThrow().asSlice(offset, length);
        return keep(engine.register(memory, RegisterOptions.DEFAULT.withAccess(rights)));
    }

    @Override
    public long watch(int region, long millis) {
        Region watched = region(region);
        int length = Math.toIntExact(watched.length());
        byte[] before = get(region, 0, length);
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        do {
            for (int from = 0; from < length; from += LOOK) {
                int to = Math.min(length, from + LOOK);
                byte[] now = get(region, from, to - from);
                int at = Arrays.mismatch(now, 0, now.length, before, from, to);
                if (at >= 0) {
                    return from + at;
                }
            }
            LockSupport.parkNanos(200_000);
        } while (System.nanoTime() - end < 0);
        return -1;
    }

    @Override
    public End move(
            boolean write,
            int region,
            long localOffset,
            byte[] remote,
            long remoteOffset,
            long length,
            long deadlineMillis) {
        TransferOptions options = TransferOptions.DEFAULT.withDeadline(Duration.ofMillis(deadlineMillis));
        var descriptor = Descriptors.unpackMemory(remote);
        Transfer transfer = write
                ? engine.write(region(region), localOffset, descriptor, remoteOffset, length, options)
                : engine.read(region(region), localOffset, descriptor, remoteOffset, length, options);
        try {
            transfer.await(Duration.ofMillis(2 * deadlineMillis + 10_000));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new End(transfer.state().name(), transfer.code().map(Enum::name).orElse(""), transfer.text());
    }

    @Override
    public @Nullable Inbound takeInbound(String peerKey, long transferId) {
        return engine.takeInbound(peerKey, transferId)
                .map(in -> new Inbound(in.peerKey(), in.transferId(), in.code(), in.text()))
                .orElse(null);
    }

    @Override
    public List<Note> takeNotifications(int most) {
        return engine.takeNotifications(most).stream()
                .map(n -> new Note(n.peerKey(), n.transferId(), n.code(), n.payload()))
                .toList();
    }

    @Override
    public boolean fence(String peerKey, long timeoutMillis) {
        return engine.fence(peerKey, Duration.ofMillis(timeoutMillis));
    }

    @Override
    public long notificationsDropped() {
        return engine.stats().notificationsDropped();
    }

    @Override
    public String state() {
        return EngineState.describe(engine);
    }

    @Override
    public void close(long timeoutMillis) {
        engine.close(Duration.ofMillis(timeoutMillis));
        if (arena.scope().isAlive()) { // a case may have closed it before
            arena.close();
        }
    }
}
