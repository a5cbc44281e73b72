package io.weft.backend.libfabric;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.DeviceRange;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.BackendContext;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DmaBuf;
import io.weft.spi.EngineClock;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Device memory that the provider moves by itself ({@code FI_HMEM}): which kinds, found out by {@link HmemTrial} while the backend
 * opens, and how it is registered. Safe from any thread.
 */
final class Hmem {
    /** How a range is named to the provider. */
    enum Way {
        DMA_BUF,
        ADDRESS
    }

    private static final Map<MemoryKind, Integer> INTERFACES =
            Map.of(MemoryKind.CUDA, Fi.HMEM_CUDA, MemoryKind.HIP, Fi.HMEM_ROCR);
    private static final int DMA_BUF_SINCE = Fi.version(1, 20);

    private record Direct(DeviceMemory memory, Way way) {}

    private final Map<MemoryKind, Direct> direct = new ConcurrentHashMap<>();
    private final Map<MemoryKind, String> refused = new ConcurrentHashMap<>();

    /** The kinds that libfabric could move and that this machine has devices of. */
    static Map<MemoryKind, DeviceMemory> present(BackendContext context) {
        Map<MemoryKind, DeviceMemory> found = new LinkedHashMap<>();
        for (MemoryKind kind : INTERFACES.keySet()) {
            context.deviceMemory(kind)
                    .filter(memory -> !memory.devices().isEmpty())
                    .ifPresent(memory -> found.put(kind, memory));
        }
        return found;
    }

    /** Finds out which of the kinds the provider moves; before the backend is used. */
    void find(OpenedFabric fabric, EngineClock clock, Map<MemoryKind, DeviceMemory> present) {
        present.forEach((kind, memory) -> {
            if ((fabric.traits().facts().caps() & Fi.HMEM) == 0) {
                refused.put(
                        kind,
                        "provider " + fabric.traits().facts().provider() + " offers no FI_HMEM in this libfabric");
                return;
            }
            Map<Way, String> failures = new EnumMap<>(Way.class);
            for (Way way : Way.values()) {
                Optional<String> failure = fails(fabric, clock, kind, memory, way);
                if (failure.isEmpty()) {
                    direct.put(kind, new Direct(memory, way));
                    return;
                }
                failures.put(way, failure.get());
            }
            refused.put(
                    kind,
                    "the round trip of bytes through a registration failed: by dma-buf: " + failures.get(Way.DMA_BUF)
                            + "; by address: " + failures.get(Way.ADDRESS));
        });
    }

    private static Optional<String> fails(
            OpenedFabric fabric, EngineClock clock, MemoryKind kind, DeviceMemory memory, Way way) {
        if (way == Way.DMA_BUF && fabric.ofi().apiVersion() < DMA_BUF_SINCE) {
            return Optional.of("libfabric has it from 1.20 on");
        }
        for (int device = 0; device < memory.devices().size(); device++) {
            MemoryLocation where = new MemoryLocation(kind, device);
            try (HmemTrial trial = new HmemTrial(fabric, clock, memory, where, way)) {
                trial.run();
            } catch (OfiException | WeftException | UnsupportedOperationException failed) {
                return Optional.of(where + ": " + failed.getMessage());
            }
        }
        return Optional.empty();
    }

    Set<MemoryKind> kinds() {
        return Set.copyOf(direct.keySet());
    }

    Map<MemoryKind, String> refusals() {
        return Map.copyOf(refused);
    }

    /** How a kind that {@link #kinds} has is registered. */
    String way(MemoryKind kind) {
        Direct found = direct.get(kind);
        return found == null ? "not at all" : found.way == Way.DMA_BUF ? "by dma-buf" : "by address";
    }

    OfiMr register(OpenedFabric fabric, MemoryLocation where, long address, long length, long rights)
            throws OfiException {
        Direct found = direct.get(where.kind());
        if (found == null) {
            throw new IllegalStateException("memory of kind " + where.kind() + " was not found to be moved");
        }
        return register(fabric, found.memory, where, found.way, address, length, rights);
    }

    static OfiMr register(
            OpenedFabric fabric,
            DeviceMemory memory,
            MemoryLocation where,
            Way way,
            long address,
            long length,
            long rights)
            throws OfiException {
        memory.prepareForDirectAccess(address, length);
        int iface = Objects.requireNonNull(INTERFACES.get(where.kind()));
        if (way == Way.ADDRESS) {
            DeviceRange range = new DeviceRange(address, length, where.device(), -1, 0);
            return Region.underAKey(fabric, key -> fabric.domain().register(range, iface, rights, key));
        }
        DmaBuf export = memory.exportDmaBuf(address, length)
                .orElseThrow(() -> new UnsupportedOperationException("the driver exports no dma-buf"));
        try {
            DeviceRange range = new DeviceRange(address, length, where.device(), export.fd(), export.offset());
            return Region.underAKey(fabric, key -> fabric.domain().register(range, iface, rights, key));
        } finally {
            memory.releaseDmaBuf(export); // the registration holds the buffer by itself
        }
    }
}
