package io.weft.ffi.device;

import io.weft.api.MemoryKind;
import io.weft.spi.DmaBuf;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What {@link GpuMemory} needs of a driver, one downcall each and no policy. Safe from any thread; calls that act on a device
 * want {@link #use} on the same thread before. Every method throws {@link io.weft.api.WeftException} DEVICE with the driver's
 * own name for what went wrong.
 */
interface GpuDriver extends AutoCloseable {
    MemoryKind kind();

    int deviceCount();

    String deviceName(int device);

    /** Such as {@code 0000:17:00.0}. */
    String pciBusId(int device);

    /** Makes a device's primary context current on this thread. */
    void use(int device);

    long allocate(long length);

    void free(long address);

    /** The device that owns an address, empty for memory that is not the driver's. */
    OptionalInt deviceOf(long address);

    long createStream();

    void destroyStream(long stream);

    void synchronize(long stream);

    void copyToHost(long host, long device, long length, long stream);

    void copyToDevice(long device, long host, long length, long stream);

    long createEvent();

    void record(long event, long stream);

    boolean isReached(long event);

    void destroyEvent(long event);

    /** Makes a NIC's writes visible to the device's kernels. */
    void flushRemoteWrites();

    /** Makes the driver's own copies of this range wait for one another, as direct access by others wants it. */
    void synchronizeMemoryOperations(long address);

    /** Exports a range whose pages lie within one allocation; empty if driver or device cannot. */
    Optional<DmaBuf> exportDmaBuf(int device, long address, long length);

    @Override
    void close();
}
