package io.weft.testkit.device;

import io.weft.spi.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Copies in order, and as late as a device may: when someone asks whether a copy is done, or the stream is closed. Whoever touches
 * memory of a copy before it was told of its end is found out. Confined to one caller at a time.
 */
@SuppressWarnings("restricted") // views host memory by address, as a driver does
final class FakeStream implements DeviceStream {
    private final ArrayDeque<Copy> queue = new ArrayDeque<>();
    private long queued;
    private long done;

    private record Copy(MemorySegment to, MemorySegment from) {
        void run() {
            MemorySegment.copy(from, 0, to, 0, to.byteSize());
        }
    }

    @Override
    public void copyToHost(long hostAddress, long deviceAddress, long length) {
        queue(host(hostAddress, length), FakeDeviceMemory.shadow(deviceAddress, length));
    }

    @Override
    public void copyToDevice(long deviceAddress, long hostAddress, long length) {
        queue(FakeDeviceMemory.shadow(deviceAddress, length), host(hostAddress, length));
    }

    private static MemorySegment host(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    private void queue(MemorySegment to, MemorySegment from) {
        queue.addLast(new Copy(to, from));
        queued++;
    }

    @Override
    public long mark() {
        return queued;
    }

    @Override
    public boolean isDone(long ticket) {
        while (done < ticket) {
            copyOne();
        }
        return true;
    }

    private void copyOne() {
        queue.removeFirst().run();
        done++;
    }

    @Override
    public void close() {
        while (!queue.isEmpty()) {
            copyOne();
        }
    }
}
