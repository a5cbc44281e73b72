package io.weft.engine.internal.memory;

import io.weft.api.Access;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.spi.LocalMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A region of this engine. Safe from any thread; its end is the {@link RegionTable}'s work. */
public final class LocalRegion implements Region {
    private final RegionTable table;
    private final RegionSpec spec;
    private final MemoryDescriptor descriptor;
    /** Handles by backend index; null where the backend does not register this kind. */
    private final @Nullable LocalMemory[] memories;
    /** Set if the engine owns the memory. */
    private final @Nullable Arena arena;
    /** Who fetched a key, and over which backends (a bit for each index). */
    private final Map<KeyHolder, Long> holders = new ConcurrentHashMap<>();

    private final RegionClosing closing = new RegionClosing();

    private final AtomicInteger uses = new AtomicInteger();
    private final CompletableFuture<Void> unused = new CompletableFuture<>();
    private volatile @Nullable KeyHolder reservedFor;
    private volatile boolean refusing;

    LocalRegion(
            RegionTable table,
            RegionSpec spec,
            MemoryDescriptor descriptor,
            @Nullable LocalMemory[] memories,
            @Nullable Arena arena) {
        this.table = table;
        this.spec = spec;
        this.descriptor = descriptor;
        this.memories = memories;
        this.arena = arena;
    }

    @Override
    public MemoryDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public MemoryLocation location() {
        return spec.location();
    }

    @Override
    public long address() {
        return spec.address();
    }

    @Override
    public long length() {
        return spec.length();
    }

    @Override
    public Set<Access> access() {
        return spec.access();
    }

    @Override
    public Optional<MemorySegment> segment() {
        return spec.segment();
    }

    @Override
    public boolean isRegistered() {
        return !closing.hasBegun();
    }

    /**
     * Whether transfers that come to their peer only now are too late. Those submitted before deregistering began may still be
     * on their way when it has, and are waited for.
     *
     * @return true once those have been waited for
     */
    public boolean refusesTransfers() {
        return refusing;
    }

    void refuseTransfers() {
        refusing = true;
    }

    @Override
    public void deregister(Duration timeout) {
        table.deregister(this, timeout);
    }

    @Override
    public void close() {
        table.deregister(this);
    }

    /**
     * The id in this incarnation.
     *
     * @return unsigned
     */
    public int id() {
        return spec.regionId();
    }

    /**
     * Whether this engine may do something with it.
     *
     * @param right the right
     * @return true if it was given at registration
     */
    public boolean allows(Access right) {
        return spec.access().contains(right);
    }

    /**
     * Whose region it is.
     *
     * @param candidate a table
     * @return true if it is that engine's
     */
    public boolean isOf(RegionTable candidate) {
        return table == candidate;
    }

    /**
     * A backend's handle.
     *
     * @param backendIndex the backend
     * @return the handle, null if that backend does not register this kind
     */
    public @Nullable LocalMemory memory(int backendIndex) {
        return memories[backendIndex];
    }

    /**
     * Leaves the region to one peer: others cannot fetch its key.
     *
     * @param only the peer
     */
    public void reserveFor(KeyHolder only) {
        reservedFor = only;
    }

    boolean isFor(KeyHolder holder) {
        KeyHolder only = reservedFor;
        return only == null || only == holder;
    }

    /** Begins a use that deregistration waits for, unless that has begun. */
    boolean enter() {
        uses.incrementAndGet();
        if (isRegistered()) {
            return true;
        }
        leave();
        return false;
    }

    /** Ends a use that {@link RegionTable#use} began. */
    public void leave() {
        if (uses.decrementAndGet() == 0 && closing.hasBegun()) {
            unused.complete(null);
        }
    }

    /** Completes when no use is left, once closing has begun. */
    CompletableFuture<Void> unused() {
        if (uses.get() == 0) {
            unused.complete(null);
        }
        return unused;
    }

    RegionClosing closing() {
        return closing;
    }

    Map<KeyHolder, Long> holders() {
        return holders;
    }

    @Nullable
    Arena arena() {
        return arena;
    }

    @Override
    public String toString() {
        return "region #" + Integer.toUnsignedString(id()) + " of " + length() + " bytes (" + location() + ")";
    }
}
