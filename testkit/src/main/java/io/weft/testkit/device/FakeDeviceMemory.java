package io.weft.testkit.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.ReadyEvent;
import io.weft.api.WeftException;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of fake devices. Allocations are known to the whole process, as a driver's are, so that several engines of one process
 * can use one another's. Safe from any thread.
 */
public final class FakeDeviceMemory implements DeviceMemory {
    private static final ConcurrentNavigableMap<Long, Allocation> ALLOCATIONS = new ConcurrentSkipListMap<>();
    private static final Map<Long, ReadyEvent> EVENTS = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT_EVENT = new AtomicLong(1);

    private record Allocation(int device, DoubleMapping mapping) {}

    /** Opens the fake devices. */
    public FakeDeviceMemory() {}

    @Override
    public List<Device> devices() {
        return FakeDeviceProvider.DEVICES;
    }

    @Override
    public Optional<MemoryLocation> locate(long address) {
        return find(address).map(found -> new MemoryLocation(FakeDeviceProvider.KIND, found.device()));
    }

    private static Optional<Allocation> find(long address) {
        var entry = ALLOCATIONS.floorEntry(address);
        if (entry == null
                || address - entry.getKey() >= entry.getValue().mapping().length()) {
            return Optional.empty();
        }
        return Optional.of(entry.getValue());
    }

    /** The bytes behind device addresses, for copies and for tests that look at what arrived. */
    static MemorySegment shadow(long address, long length) {
        Allocation found = find(address)
                .orElseThrow(() -> new WeftException(
                        ErrorCode.DEVICE, "fake device: 0x" + Long.toHexString(address) + " is not device memory"));
        long offset = address - found.mapping().deviceAddress();
        if (length < 0 || length > found.mapping().length() - offset) {
            throw new WeftException(
                    ErrorCode.DEVICE,
                    "fake device: " + length + " bytes at 0x" + Long.toHexString(address)
                            + " leave their allocation of " + found.mapping().length() + " bytes");
        }
        return found.mapping().shadow().asSlice(offset, length);
    }

    @Override
    public long allocate(int device, long length) {
        if (device < 0 || device >= devices().size()) {
            throw new WeftException(ErrorCode.DEVICE, "fake device: there is no device " + device + ", only 0 and 1");
        }
        DoubleMapping mapping = DoubleMapping.of(length);
        ALLOCATIONS.put(mapping.deviceAddress(), new Allocation(device, mapping));
        return mapping.deviceAddress();
    }

    @Override
    public void free(long address) {
        Allocation removed = ALLOCATIONS.remove(address);
        if (removed == null) {
            throw new WeftException(
                    ErrorCode.DEVICE, "fake device: 0x" + Long.toHexString(address) + " was not allocated");
        }
        removed.mapping().unmap();
    }

    @Override
    public DeviceStream openStream(int device) {
        return new FakeStream();
    }

    @Override
    public void flushRemoteWrites(int device) {
        // Both mappings show the same pages, so what a writer stored is there.
    }

    /**
     * Makes a driver event that becomes ready when a test says so.
     *
     * @param event the gate
     * @return a handle for {@link #readyEvent}
     */
    public static long driverEvent(ReadyEvent event) {
        long handle = NEXT_EVENT.getAndIncrement();
        EVENTS.put(handle, event);
        return handle;
    }

    @Override
    public ReadyEvent readyEvent(long driverEvent) {
        ReadyEvent event = EVENTS.get(driverEvent);
        if (event == null) {
            throw new WeftException(ErrorCode.DEVICE, "fake device: no event " + driverEvent);
        }
        return event;
    }

    /**
     * Copies device bytes for a test to look at.
     *
     * @param address device address
     * @param length bytes
     * @return a copy
     */
    public static byte[] peek(long address, int length) {
        return shadow(address, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    /**
     * Sets device bytes for a test.
     *
     * @param address device address
     * @param bytes what to store
     */
    public static void poke(long address, byte[] bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, shadow(address, bytes.length), 0, bytes.length);
    }

    @Override
    public void close() {
        // Allocations belong to whoever made them; a driver outlives those who open it.
    }
}
