package io.weft.bench.device;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.ReadyEvent;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.DeviceStream;
import io.weft.spi.SpiLevel;
import io.weft.testkit.device.FakeDeviceMemory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Memory of kind {@code timed}, to measure what staging costs beside a copy engine, which takes time but no processor: a copy
 * moves nothing and is done once the bytes before it and its own would have passed at {@value #BYTES_PER_NANO} GB/s, about PCIe
 * 4.0 with 16 lanes. For rates only: the bytes that arrive are not those that were sent. Safe from any thread.
 */
public final class TimedMemory implements DeviceMemoryProvider {
    private static final int BYTES_PER_NANO = 25;
    private static final MemoryKind KIND = new MemoryKind("timed");
    private static final List<Device> DEVICES = List.of(new Device("timed:0", Map.of("name", "timed copies")));

    /** Loads nothing. */
    public TimedMemory() {}

    @Override
    public MemoryKind kind() {
        return KIND;
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public Availability probe(long deadlineNanos) {
        return Availability.usable(DEVICES);
    }

    @Override
    public DeviceMemory open() {
        return new Timed(new FakeDeviceMemory());
    }

    private record Timed(FakeDeviceMemory fake) implements DeviceMemory {
        @Override
        public List<Device> devices() {
            return DEVICES;
        }

        @Override
        public Optional<MemoryLocation> locate(long address) {
            return fake.locate(address).map(found -> new MemoryLocation(KIND, found.device()));
        }

        @Override
        public long allocate(int device, long length) {
            return fake.allocate(device, length);
        }

        @Override
        public void free(long address) {
            fake.free(address);
        }

        @Override
        public DeviceStream openStream(int device) {
            return new Stream();
        }

        @Override
        public void flushRemoteWrites(int device) {
            // No path is direct.
        }

        @Override
        public ReadyEvent readyEvent(long driverEvent) {
            return fake.readyEvent(driverEvent);
        }

        @Override
        public void close() {
            fake.close();
        }
    }

    /** Tickets are the times at which the queue will have passed. */
    private static final class Stream implements DeviceStream {
        private long idleFrom = System.nanoTime();

        @Override
        public void copyToHost(long hostAddress, long deviceAddress, long length) {
            pass(length);
        }

        @Override
        public void copyToDevice(long deviceAddress, long hostAddress, long length) {
            pass(length);
        }

        private void pass(long length) {
            long now = System.nanoTime();
            idleFrom = (idleFrom - now > 0 ? idleFrom : now) + length / BYTES_PER_NANO;
        }

        @Override
        public long mark() {
            return idleFrom;
        }

        @Override
        public boolean isDone(long ticket) {
            return System.nanoTime() - ticket >= 0;
        }

        @Override
        public void close() {
            // Nothing touches memory.
        }
    }
}
