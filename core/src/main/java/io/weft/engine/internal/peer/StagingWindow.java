package io.weft.engine.internal.peer;

import io.weft.api.Access;
import io.weft.api.MemoryLocation;
import io.weft.api.RegisterOptions;
import io.weft.engine.internal.memory.LocalRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Registered host memory for staging what is moved to or from one peer. Immutable; opening and closing block. */
final class StagingWindow {
    /** Small enough that what was copied in is still in a cache when it is sent, and that short transfers overlap. */
    static final int SLOT_BYTES = 1 << 19;
    /** Enough that copies on both sides and the wire are busy at once. */
    static final int SLOTS = 16;

    static final long BYTES = (long) SLOTS * SLOT_BYTES;
    private static final long PAGE_BYTES = 4096;

    private final LocalRegion region;
    private final StagingBound bound;

    private StagingWindow(LocalRegion region, StagingBound bound) {
        this.region = region;
        this.bound = bound;
    }

    static StagingWindow open(PeerServices services, EnginePeer peer, Set<Access> rights) {
        StagingBound bound = services.staging();
        bound.take(BYTES, peer.key());
        try {
            return new StagingWindow(register(services, peer, rights), bound);
        } catch (RuntimeException | Error refused) {
            bound.giveBack(BYTES);
            throw refused;
        }
    }

    private static LocalRegion register(PeerServices services, EnginePeer peer, Set<Access> rights) {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(BYTES, PAGE_BYTES);
            LocalRegion region = services.regions()
                    .register(
                            memory.address(),
                            BYTES,
                            MemoryLocation.HOST,
                            Optional.of(memory),
                            RegisterOptions.DEFAULT.withAccess(rights),
                            arena);
            region.reserveFor(peer.access());
            return region;
        } catch (RuntimeException | Error refused) {
            arena.close();
            throw refused;
        }
    }

    LocalRegion region() {
        return region;
    }

    long address(long offset) {
        return region.address() + offset;
    }

    /** Nothing reaches the memory any more when it returns. */
    void close() {
        region.deregister(Duration.ZERO);
        bound.giveBack(BYTES);
    }
}
