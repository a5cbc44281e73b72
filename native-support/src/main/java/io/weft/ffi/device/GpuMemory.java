package io.weft.ffi.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.ReadyEvent;
import io.weft.api.WeftException;
import io.weft.ffi.FileDescriptors;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import io.weft.spi.DmaBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Device memory over a GPU driver. Safe from any thread. */
final class GpuMemory implements DeviceMemory {
    private final GpuDriver driver;
    private final List<Device> devices;

    GpuMemory(GpuDriver driver) {
        this.driver = driver;
        this.devices = devices(driver);
    }

    static List<Device> devices(GpuDriver driver) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < driver.deviceCount(); i++) {
            String pci = driver.pciBusId(i);
            devices.add(new Device(
                    driver.kind().id() + ":" + i,
                    Map.of("name", driver.deviceName(i), "pci", pci, "numa", PciNuma.nodeOf(pci))));
        }
        return List.copyOf(devices);
    }

    @Override
    public List<Device> devices() {
        return devices;
    }

    @Override
    public Optional<MemoryLocation> locate(long address) {
        var device = driver.deviceOf(address);
        return device.isPresent()
                ? Optional.of(new MemoryLocation(driver.kind(), device.getAsInt()))
                : Optional.empty();
    }

    private int owner(long address) {
        return driver.deviceOf(address)
                .orElseThrow(() -> new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        driver.kind() + ": 0x" + Long.toHexString(address) + " is not memory of this driver"));
    }

    private void use(int device) {
        if (device < 0 || device >= devices.size()) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    driver.kind() + ": there is no device " + device + "; the driver has " + devices.size());
        }
        driver.use(device);
    }

    @Override
    public long allocate(int device, long length) {
        use(device);
        return driver.allocate(length);
    }

    @Override
    public void free(long address) {
        use(owner(address));
        driver.free(address);
    }

    @Override
    public DeviceStream openStream(int device) {
        use(device);
        return new GpuStream(driver, device);
    }

    @Override
    public void flushRemoteWrites(int device) {
        use(device);
        driver.flushRemoteWrites();
    }

    @Override
    public void prepareForDirectAccess(long address, long length) {
        use(owner(address));
        driver.synchronizeMemoryOperations(address);
    }

    @Override
    public Optional<DmaBuf> exportDmaBuf(long address, long length) {
        int device = owner(address);
        use(device);
        return driver.exportDmaBuf(device, address, length);
    }

    @Override
    public void releaseDmaBuf(DmaBuf export) {
        FileDescriptors.close(export.fd());
    }

    @Override
    public ReadyEvent readyEvent(long driverEvent) {
        return () -> driver.isReached(driverEvent);
    }

    @Override
    public void close() {
        driver.close();
    }
}
