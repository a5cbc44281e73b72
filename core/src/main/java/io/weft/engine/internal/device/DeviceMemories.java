package io.weft.engine.internal.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.discovery.DeviceMemoryCatalogue;
import io.weft.discovery.DeviceMemoryEntry;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The usable device memory kinds of an engine, each opened once, when first asked for. Safe from any thread; opening may block. */
public final class DeviceMemories {
    private final DeviceMemoryCatalogue catalogue;
    private final Map<MemoryKind, DeviceMemory> open = new HashMap<>();
    private boolean closed;

    /**
     * Opens nothing yet.
     *
     * @param catalogue what was found and probed
     */
    public DeviceMemories(DeviceMemoryCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * The memory of a kind.
     *
     * @param kind the kind
     * @return the memory, empty if no provider is usable
     * @throws WeftException DEVICE if the driver does not open, CLOSED if the engine is closed
     */
    public synchronized Optional<DeviceMemory> find(MemoryKind kind) {
        if (closed) {
            throw new WeftException(ErrorCode.CLOSED, "open " + kind + " memory: the engine is closed");
        }
        DeviceMemory known = open.get(kind);
        if (known == null) {
            Optional<DeviceMemoryProvider> provider = catalogue.find(kind);
            if (provider.isEmpty()) {
                return Optional.empty();
            }
            known = provider.get().open();
            open.put(kind, known);
        }
        return Optional.of(known);
    }

    /**
     * The memory of a kind that has to be here.
     *
     * @param kind the kind
     * @param what what it is wanted for, for the text
     * @return the memory
     * @throws WeftException UNSUPPORTED with why no provider is usable
     */
    public DeviceMemory require(MemoryKind kind, String what) {
        return find(kind).orElseThrow(() -> new WeftException(ErrorCode.UNSUPPORTED, what + ": " + whyNot(kind)));
    }

    /**
     * Checks that memory is where its owner says.
     *
     * @param what the call, for texts
     * @param location kind and device
     * @param address first address
     * @param length bytes
     * @throws WeftException UNSUPPORTED without a provider, INVALID_ARGUMENT if the driver knows the memory otherwise
     */
    public void check(String what, MemoryLocation location, long address, long length) {
        DeviceMemory memory = require(location.kind(), what);
        for (long at : new long[] {address, address + length - 1}) {
            Optional<MemoryLocation> found = memory.locate(at);
            if (!found.equals(Optional.of(location))) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        what + ": the driver says that 0x" + Long.toHexString(at) + " is "
                                + found.map(MemoryLocation::toString).orElse("no memory of kind " + location.kind()));
            }
        }
    }

    private String whyNot(MemoryKind kind) {
        List<DeviceMemoryEntry> entries = catalogue.entries();
        return entries.stream()
                .filter(entry -> entry.kind().equals(Optional.of(kind)))
                .map(entry -> "memory of kind " + kind + " cannot be used: " + entry.reason())
                .findFirst()
                .orElseGet(() -> "no provider of memory kind " + kind + " was found, only of "
                        + entries.stream().map(DeviceMemoryEntry::name).toList());
    }

    /**
     * Closes what was opened.
     *
     * @return what could not be closed, empty if all was
     */
    public synchronized List<String> close() {
        closed = true;
        List<String> left = new ArrayList<>();
        open.forEach((kind, memory) -> {
            try {
                memory.close();
            } catch (RuntimeException stuck) {
                left.add("device memory " + kind + ": " + stuck.getMessage());
            }
        });
        open.clear();
        return left;
    }
}
