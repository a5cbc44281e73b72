package io.weft.cli.rank;

import io.weft.api.MemoryLocation;
import io.weft.cli.memory.StreamEnd;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Memory of a device, which this process sees through copies only. Safe from any thread. */
final class OnDevice implements Memory {
    private static final long SCRATCH_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MemoryLocation location;
    private final DeviceMemory device;
    private final DeviceStream stream;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment scratch = arena.allocate(SCRATCH_BYTES, 4096);
    private final List<Long> allocated = new ArrayList<>();

    /** Takes the device memory, which is closed with this. */
    OnDevice(MemoryLocation location, DeviceMemory device) {
        this.location = location;
        this.device = device;
        this.stream = device.openStream(location.device());
    }

    @Override
    public MemoryLocation location() {
        return location;
    }

    @Override
    public synchronized long allocate(long length) {
        long address = device.allocate(location.device(), length);
        allocated.add(address);
        scratch.fill((byte) 0);
        for (long done = 0; done < length; done += SCRATCH_BYTES) {
            stream.copyToDevice(address + done, scratch.address(), Math.min(SCRATCH_BYTES, length - done));
        }
        await();
        return address;
    }

    @Override
    public synchronized void put(long address, MemorySegment bytes) {
        for (long done = 0; done < bytes.byteSize(); done += SCRATCH_BYTES) {
            long part = Math.min(SCRATCH_BYTES, bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, scratch, 0, part);
            stream.copyToDevice(address + done, scratch.address(), part);
            await();
        }
    }

    /** A copy of the caller's own. */
    @Override
    public synchronized MemorySegment get(long address, long length) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
        for (long done = 0; done < length; done += SCRATCH_BYTES) {
            long part = Math.min(SCRATCH_BYTES, length - done);
            stream.copyToHost(scratch.address(), address + done, part);
            await();
            MemorySegment.copy(scratch, 0, copy, done, part);
        }
        return copy;
    }

    private void await() {
        StreamEnd.await(stream, "copy to or from " + location, PATIENCE);
    }

    @Override
    public synchronized void close() {
        stream.close();
        allocated.forEach(device::free);
        device.close();
        arena.close();
    }
}
