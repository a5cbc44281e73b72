package io.weft.ffi.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.ReadyEvent;
import io.weft.api.RegisterOptions;
import io.weft.api.WeftException;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Anonymous mappings of this process. Safe from any thread. */
final class HostMemory implements DeviceMemory {
    private final Map<Long, HostMapping> mappings = new ConcurrentHashMap<>();

    @Override
    public List<Device> devices() {
        return HostProvider.DEVICES;
    }

    @Override
    public Optional<MemoryLocation> locate(long address) {
        return mappings.containsKey(address) ? Optional.of(MemoryLocation.HOST) : Optional.empty();
    }

    @Override
    public long allocate(int device, long length) {
        return allocate(device, length, RegisterOptions.DEFAULT);
    }

    @Override
    public long allocate(int device, long length, RegisterOptions options) {
        HostMapping mapping = HostMapping.of(length, options.pages(), options.numaNode());
        mappings.put(mapping.address(), mapping);
        return mapping.address();
    }

    @Override
    public void free(long address) {
        HostMapping mapping = mappings.remove(address);
        if (mapping == null) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "host: 0x" + Long.toHexString(address) + " was not allocated here");
        }
        mapping.unmap();
    }

    @Override
    public DeviceStream openStream(int device) {
        throw new WeftException(ErrorCode.UNSUPPORTED, "host: memory of the host needs no copies to the host");
    }

    @Override
    public void flushRemoteWrites(int device) {
        // Writes of a NIC to host memory are visible by the rules of PCI Express.
    }

    @Override
    public ReadyEvent readyEvent(long driverEvent) {
        throw new WeftException(ErrorCode.UNSUPPORTED, "host: memory of the host has no driver events");
    }

    @Override
    public void close() {
        mappings.values().forEach(HostMapping::unmap);
        mappings.clear();
    }
}
