package io.weft.engine.internal;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.WeftException;
import io.weft.engine.internal.device.DeviceMemories;
import io.weft.engine.internal.memory.RegionTable;
import io.weft.spi.DeviceMemory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Checks and carries out registering and allocating (rules REG-2, REG-6). Safe from any thread. */
final class MemoryCalls {
    private static final Logger LOG = System.getLogger(MemoryCalls.class.getName());
    private static final long PAGE_BYTES = 4096;
    private static final AtomicBoolean SAID_NO_HUGE_PAGES = new AtomicBoolean();
    /** Asked whether it may access a caller's memory; never started. */
    private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

    private final RegionTable regions;
    private final DeviceMemories devices;
    private final EngineLife life;

    MemoryCalls(RegionTable regions, DeviceMemories devices, EngineLife life) {
        this.regions = regions;
        this.devices = devices;
        this.life = life;
    }

    Region register(MemorySegment segment, RegisterOptions options) {
        String what = "register " + segment.byteSize() + " bytes of host memory";
        life.checkOpen(what);
        if (!segment.isNative()) {
            throw invalid(what, "it is on the heap, which moves; use a segment of Arena.ofShared(), or allocate");
        }
        if (!segment.scope().isAlive()) {
            throw invalid(what, "its arena is closed");
        }
        if (!segment.isAccessibleBy(STRANGER)) {
            throw invalid(what, "its arena is confined to one thread; use Arena.ofShared()");
        }
        check(what, segment.address(), segment.byteSize(), options);
        if (segment.isReadOnly()
                && (options.access().contains(Access.LOCAL_WRITE)
                        || options.access().contains(Access.REMOTE_WRITE))) {
            throw invalid(what, "it is read-only and rights to write were asked for; use Access.READ_ONLY");
        }
        return regions.register(
                segment.address(), segment.byteSize(), MemoryLocation.HOST, Optional.of(segment), options, null);
    }

    Region register(long address, long length, MemoryLocation location, RegisterOptions options) {
        String what = "register " + length + " bytes of " + location + " memory at 0x" + Long.toHexString(address);
        life.checkOpen(what);
        check(what, address, length, options);
        Optional<MemorySegment> segment =
                location.kind().isHost() ? Optional.of(hostSegment(address, length)) : Optional.empty();
        return regions.register(address, length, location, segment, options, null);
    }

    @SuppressWarnings("restricted") // the caller says that the memory is there, as with every address
    private static MemorySegment hostSegment(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    Region allocate(MemoryLocation location, long length, RegisterOptions options) {
        String what = "allocate " + length + " bytes of " + location + " memory";
        life.checkOpen(what);
        if (length <= 0) {
            throw invalid(what, "the length must be positive");
        }
        checkRights(what, options);
        if (!location.kind().isHost()) {
            return allocateOnDevice(what, location, length, options);
        }
        checkPages(what, options);
        checkNode(what, options.numaNode());
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(length, PAGE_BYTES);
            return regions.register(memory.address(), length, MemoryLocation.HOST, Optional.of(memory), options, arena);
        } catch (OutOfMemoryError short_) {
            arena.close();
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    what + ": the process cannot get that much (" + short_.getMessage()
                            + "); free some, or raise the container's memory or ulimit -v",
                    short_);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    @SuppressWarnings("restricted") // the arena stands for memory that the driver allocated
    private Region allocateOnDevice(String what, MemoryLocation location, long length, RegisterOptions options) {
        DeviceMemory memory = devices.require(location.kind(), what);
        long address = memory.allocate(location.device(), length, options);
        Arena arena = Arena.ofShared();
        MemorySegment _ =
                MemorySegment.ofAddress(address).reinterpret(length, arena, gone -> memory.free(gone.address()));
        try {
            return regions.register(address, length, location, Optional.empty(), options, arena);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    private static void checkPages(String what, RegisterOptions options) {
        switch (options.pages()) {
            case DEFAULT -> {
                // What the operating system gives.
            }
            case TRANSPARENT_HUGE -> {
                if (SAID_NO_HUGE_PAGES.compareAndSet(false, true)) {
                    LOG.log(Level.INFO, what + ": transparent huge pages are left to the operating system's setting");
                }
            }
            case HUGE_2M, HUGE_1G ->
                throw new WeftException(
                        ErrorCode.UNSUPPORTED,
                        what + " from reserved huge pages: the engine cannot map them in this build yet; map them"
                                + " yourself and register them");
        }
    }

    private static void checkNode(String what, int node) {
        if (node < -1) {
            throw invalid(what, "NUMA node " + node + " does not exist; -1 is any");
        }
        if (node >= 0) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    what + " on NUMA node " + node + ": the engine cannot place memory in this build yet; start the"
                            + " process with numactl --membind=" + node + ", or place memory yourself and register it");
        }
    }

    private static void check(String what, long address, long length, RegisterOptions options) {
        if (length <= 0) {
            throw invalid(what, "the length must be positive");
        }
        if (address == 0) {
            throw invalid(what, "the address is null");
        }
        if (Long.compareUnsigned(address + length, address) <= 0) {
            throw invalid(what, "address and length overflow");
        }
        checkRights(what, options);
    }

    private static void checkRights(String what, RegisterOptions options) {
        if (options.access().isEmpty()) {
            throw invalid(what, "no right was asked for, so it could not be used for anything");
        }
    }

    private static WeftException invalid(String what, String found) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, what + ": " + found);
    }
}
