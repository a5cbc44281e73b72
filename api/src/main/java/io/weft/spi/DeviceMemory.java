package io.weft.spi;

import io.weft.api.MemoryLocation;
import io.weft.api.ReadyEvent;
import io.weft.api.RegisterOptions;
import io.weft.api.WeftException;
import java.util.List;
import java.util.Optional;

/**
 * Memory that the CPU does not touch directly (rule DEV-4): allocation, copies, export, flush. Implemented by vendors.
 *
 * <p>Threading: safe from any thread; a {@link DeviceStream} belongs to one thread at a time. Addresses are device addresses as
 * the driver gives them, lengths are bytes.
 *
 * @since 0.1
 */
public interface DeviceMemory extends AutoCloseable {
    /**
     * The devices, with attributes {@code pci}, {@code numa}, {@code name}.
     *
     * @return devices in index order
     */
    List<Device> devices();

    /**
     * Tells what an address is.
     *
     * @param address any address
     * @return its location, empty if it is not memory of this kind
     */
    Optional<MemoryLocation> locate(long address);

    /**
     * Allocates.
     *
     * @param device device index
     * @param length bytes
     * @return the address
     * @throws WeftException RESOURCE_EXHAUSTED or DEVICE
     */
    long allocate(int device, long length);

    /**
     * Allocates with pages and NUMA node as asked, where the kind has them.
     *
     * @param device device index
     * @param length bytes
     * @param options pages and NUMA node; the rights do not matter here
     * @return the address
     * @throws WeftException RESOURCE_EXHAUSTED saying what to reserve, or DEVICE
     */
    default long allocate(int device, long length, RegisterOptions options) {
        return allocate(device, length);
    }

    /**
     * Frees what {@code allocate} gave.
     *
     * @param address the address
     */
    void free(long address);

    /**
     * Opens a queue of copies.
     *
     * @param device device index
     * @return a stream
     * @throws WeftException DEVICE
     */
    DeviceStream openStream(int device);

    /**
     * Makes the device's memory visible after writes by a NIC (rule WR-9).
     *
     * @param device device index
     * @throws WeftException DEVICE
     */
    void flushRemoteWrites(int device);

    /**
     * Prepares a range for direct access by other devices, as the driver wants it (memory operations synchronised, pages
     * pinned).
     *
     * @param address first address
     * @param length bytes
     * @throws WeftException DEVICE, UNSUPPORTED
     */
    default void prepareForDirectAccess(long address, long length) {}

    /**
     * Exports a range for a NIC.
     *
     * @param address first address
     * @param length bytes
     * @return the export, to be closed by {@link #releaseDmaBuf}; empty if the driver cannot
     * @throws WeftException DEVICE
     */
    default Optional<DmaBuf> exportDmaBuf(long address, long length) {
        return Optional.empty();
    }

    /**
     * Closes an export.
     *
     * @param export what {@link #exportDmaBuf} gave
     */
    default void releaseDmaBuf(DmaBuf export) {}

    /**
     * Wraps a driver event as a gate for a transfer's source.
     *
     * @param driverEvent the driver's event handle, kept alive by the caller until ready
     * @return an event that polls the driver
     * @throws WeftException UNSUPPORTED
     */
    ReadyEvent readyEvent(long driverEvent);

    /** Frees everything. Idempotent. */
    @Override
    void close();
}
