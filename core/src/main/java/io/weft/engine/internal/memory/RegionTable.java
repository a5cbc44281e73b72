package io.weft.engine.internal.memory;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.RegisterOptions;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.IntTable;
import io.weft.engine.internal.device.DeviceMemories;
import io.weft.engine.internal.time.Durations;
import io.weft.spi.EngineClock;
import io.weft.spi.LocalMemory;
import io.weft.spi.Peer;
import io.weft.telemetry.jfr.RegistrationEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** All regions of an engine. Safe from any thread. */
public final class RegionTable {
    private final String engineKey;
    private final List<OpenBackend> backends;
    private final DeviceMemories devices;
    private final EngineClock clock;
    private final Deregistration deregistration;
    private final Duration defaultTimeout;
    private final IntTable<LocalRegion> regions = new IntTable<>();
    private final int firstId;
    private final AtomicInteger nextId;
    private final LongAdder bytes = new LongAdder();

    /**
     * Makes an empty table.
     *
     * @param engineKey the engine's wire key
     * @param firstId random, so that a stale descriptor is unknown rather than wrong
     * @param backends the open backends, by index
     * @param devices device memory, of which regions can be staged even if no backend moves them
     * @param users knows which transfers use a region
     * @param clock clock of deadlines
     * @param defaultTimeout how long {@code Region.close} lets transfers go on
     */
    public RegionTable(
            String engineKey,
            int firstId,
            List<OpenBackend> backends,
            DeviceMemories devices,
            RegionUsers users,
            EngineClock clock,
            Duration defaultTimeout) {
        this.engineKey = engineKey;
        this.firstId = firstId;
        this.nextId = new AtomicInteger(firstId);
        this.backends = backends;
        this.devices = devices;
        this.clock = clock;
        this.defaultTimeout = defaultTimeout;
        this.deregistration = new Deregistration(backends, users, clock);
    }

    /**
     * Registers checked memory with every backend that moves its kind directly. Blocks while they pin it. Device memory that none
     * moves is staged through host memory.
     *
     * @param address first address
     * @param length bytes, at least 1, not overflowing
     * @param location kind and device
     * @param segment host memory
     * @param access rights, not empty
     * @param arena owns the memory, null if the caller does
     * @return the region
     * @throws WeftException UNSUPPORTED if no backend moves the kind and it is not device memory that is here, or what a backend said; nothing stays registered then
     */
    public LocalRegion register(
            long address,
            long length,
            MemoryLocation location,
            Optional<MemorySegment> segment,
            RegisterOptions access,
            @Nullable Arena arena) {
        long since = clock.nanos();
        RegionSpec spec = new RegionSpec(nextId.getAndIncrement(), address, length, location, access.access(), segment);
        LocalMemory[] memories = new LocalMemory[backends.size()];
        boolean any = !location.kind().isHost();
        try {
            if (any) {
                devices.check("register " + length + " bytes of " + location + " memory", location, address, length);
            }
            for (OpenBackend backend : backends) {
                if (backend.registers(location.kind())) {
                    checkLimits(backend, length);
                    memories[backend.index()] = backend.guard()
                            .call(
                                    "register " + length + " bytes",
                                    () -> backend.spi().register(spec));
                    any = true;
                }
            }
            if (!any) {
                throw new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "register " + length + " bytes of " + location + ": none of the open backends " + names()
                                + " moves memory of kind " + location.kind());
            }
        } catch (WeftException refused) {
            release(memories);
            throw refused;
        }
        LocalRegion region = new LocalRegion(this, spec, describe(spec), memories, arena);
        regions.put(spec.regionId(), region);
        bytes.add(length);
        record("registered", region.id(), location, length, since);
        return region;
    }

    private void checkLimits(OpenBackend backend, long length) {
        if (length > backend.limits().regionBytes()
                || regions.size() >= backend.limits().regions()) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "register " + length + " bytes with backend " + backend.name() + ": it takes "
                            + backend.limits().regions() + " regions of at most "
                            + backend.limits().regionBytes() + " bytes, and " + regions.size()
                            + " are registered; register fewer or smaller ones, or leave the backend out");
        }
    }

    private void release(@Nullable LocalMemory[] memories) {
        for (OpenBackend backend : backends) {
            LocalMemory memory = memories[backend.index()];
            if (memory != null) {
                long deadline = clock.nanos() + backend.quiesceNanos();
                backend.guard().call("deregister", () -> backend.spi().deregister(memory, deadline));
            }
        }
    }

    private MemoryDescriptor describe(RegionSpec spec) {
        MemoryLocation location = spec.location();
        return MemoryDescriptor.builder()
                .engineKey(engineKey)
                .id(spec.regionId())
                .device(
                        location.device(),
                        location.kind().isHost() ? "" : location.kind().id())
                .range(spec.address(), spec.length())
                .location(location.kind().isHost() ? 1 : 2)
                .build();
    }

    private String names() {
        return backends.stream().map(OpenBackend::name).toList().toString();
    }

    /**
     * Looks a region up.
     *
     * @param id its id
     * @return the region, null if there is none now
     */
    public @Nullable LocalRegion find(int id) {
        return regions.get(id);
    }

    /**
     * Bytes registered now.
     *
     * @return bytes
     */
    public long registeredBytes() {
        return bytes.sum();
    }

    /**
     * Answers a peer that wants a region's key. May block as the backend does.
     *
     * @param holder the peer, to be told of the region's end from now on
     * @param peer the same, as the backend knows it
     * @param backend the backend
     * @param id the region
     * @return the key with true bounds and rights
     * @throws WeftException REMOTE_ACCESS for a region that is gone, STALE_DESCRIPTOR for an id this incarnation never gave
     */
    public ExportedKey export(KeyHolder holder, Peer peer, OpenBackend backend, int id) {
        LocalRegion region = regions.get(id);
        if (region == null || !region.isRegistered() || !region.isFor(holder)) {
            throw unknown(id);
        }
        LocalMemory memory = region.memory(backend.index());
        if (memory == null) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "export the key of " + region + " over backend " + backend.name()
                            + ": that backend does not move memory of this kind");
        }
        // Entered before the key exists: a deregistration from here on tells this peer.
        region.holders().merge(holder, 1L << backend.index(), (a, b) -> a | b);
        if (!region.isRegistered()) {
            throw unknown(id);
        }
        byte[] key = backend.guard().call("export a key", () -> backend.spi().exportKey(peer, memory));
        return new ExportedKey(
                region.access(),
                region.address(),
                region.length(),
                region.location().kind(),
                key);
    }

    /**
     * Begins a use of a region's memory on behalf of a peer; {@link LocalRegion#leave} ends it. The peer is told of the
     * region's end from now on.
     *
     * @param holder the peer
     * @param id the region
     * @param right what the peer wants to do
     * @return the region, which is not freed before the use ends
     * @throws WeftException REMOTE_ACCESS for a region that is gone or lacks the right, STALE_DESCRIPTOR as for a key
     */
    public LocalRegion use(KeyHolder holder, int id, Access right) {
        LocalRegion region = regions.get(id);
        if (region == null || !region.enter()) {
            throw unknown(id);
        }
        region.holders().merge(holder, 0L, (a, b) -> a | b);
        if (!region.allows(right)) {
            region.leave();
            throw new WeftException(
                    ErrorCode.REMOTE_ACCESS,
                    "access " + region + " of engine " + engineKey + ": it was registered without the right " + right);
        }
        return region;
    }

    private WeftException unknown(int id) {
        boolean everGiven = Integer.toUnsignedLong(id - firstId) < Integer.toUnsignedLong(nextId.get() - firstId);
        String name = "region #" + Integer.toUnsignedString(id) + " of engine " + engineKey;
        return everGiven
                ? new WeftException(
                        ErrorCode.REMOTE_ACCESS,
                        "access " + name + ": it was deregistered; ask its owner for a descriptor of what there is now")
                : new WeftException(
                        ErrorCode.STALE_DESCRIPTOR,
                        "access " + name + ": this incarnation never gave that id, so the descriptor is of an earlier"
                                + " one or of another engine; fetch the owner's present descriptors");
    }

    /**
     * A peer is gone or was cut off over a backend: its keys are dead and it need not be told of regions' ends any more.
     *
     * @param holder the peer
     * @param backend the backend
     */
    public void forget(KeyHolder holder, OpenBackend backend) {
        long others = ~(1L << backend.index());
        regions.forEach(region ->
                region.holders().computeIfPresent(holder, (peer, bits) -> (bits & others) == 0 ? null : bits & others));
    }

    void deregister(LocalRegion region) {
        deregister(region, defaultTimeout);
    }

    /**
     * Takes a region back (rules REG-4, REG-5).
     *
     * @param region a region of this table
     * @param timeout how long transfers may go on
     * @throws WeftException INTERNAL naming backends that did not let go
     */
    public void deregister(LocalRegion region, Duration timeout) {
        long since = clock.nanos();
        deregistration.run(region, Durations.nanos(timeout), () -> {
            regions.remove(region.id());
            bytes.add(-region.length());
            record("deregistered", region.id(), region.location(), region.length(), since);
        });
    }

    private void record(String action, int id, MemoryLocation location, long length, long since) {
        if (RegistrationEvent.isRecorded()) {
            RegistrationEvent.done(engineKey, action, id, location.toString(), length, clock.nanos() - since);
        }
    }

    /**
     * Takes all regions back, side by side.
     *
     * @param timeout as in {@link #deregister}
     * @param executor runs what blocks
     * @return completes when all are done, with the texts of those that failed
     */
    public CompletableFuture<List<String>> deregisterAll(Duration timeout, java.util.concurrent.Executor executor) {
        List<CompletableFuture<String>> ends = new java.util.ArrayList<>();
        regions.forEach(region -> ends.add(CompletableFuture.supplyAsync(
                () -> {
                    try {
                        deregister(region, timeout);
                        return "";
                    } catch (WeftException held) {
                        return String.valueOf(held.getMessage());
                    }
                },
                executor)));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .thenApply(done -> ends.stream()
                        .map(CompletableFuture::join)
                        .filter(text -> !text.isEmpty())
                        .toList());
    }

    /**
     * Whether any right allows this engine's side of an operation.
     *
     * @param region a region
     * @param write true if it is the source of a write
     * @return true if allowed
     */
    public static boolean allowsLocally(LocalRegion region, boolean write) {
        return region.allows(write ? Access.LOCAL_READ : Access.LOCAL_WRITE);
    }
}
