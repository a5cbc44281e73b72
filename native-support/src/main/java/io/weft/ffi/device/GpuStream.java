package io.weft.ffi.device;

import io.weft.spi.DeviceStream;
import java.util.Arrays;

/**
 * A stream with pooled events for its marks. Copies and marks allocate nothing once the pool has grown. Confined to one
 * thread at a time; the driver's current device is set anew on a thread that was not the last one.
 */
final class GpuStream implements DeviceStream {
    private final GpuDriver driver;
    private final int device;
    private final long stream;
    /** Events of marks not yet seen to be reached: ring from {@code first} on, {@code pending} long. */
    private long[] events = new long[8];

    private int first;
    private int pending;
    private long reached;
    private long marked;
    private long currentThread = -1;
    private boolean closed;

    GpuStream(GpuDriver driver, int device) {
        this.driver = driver;
        this.device = device;
        this.stream = driver.createStream();
    }

    private void use() {
        long thread = Thread.currentThread().threadId();
        if (thread != currentThread) {
            driver.use(device);
            currentThread = thread;
        }
    }

    @Override
    public void copyToHost(long hostAddress, long deviceAddress, long length) {
        use();
        driver.copyToHost(hostAddress, deviceAddress, length, stream);
    }

    @Override
    public void copyToDevice(long deviceAddress, long hostAddress, long length) {
        use();
        driver.copyToDevice(deviceAddress, hostAddress, length, stream);
    }

    @Override
    public long mark() {
        use();
        if (pending == events.length) {
            grow();
        }
        int slot = (first + pending) & events.length - 1;
        if (events[slot] == 0) {
            events[slot] = driver.createEvent();
        }
        driver.record(events[slot], stream);
        pending++;
        return ++marked;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(events, events.length * 2);
        for (int i = 0; i < events.length; i++) {
            larger[i] = events[(first + i) & events.length - 1];
        }
        events = larger;
        first = 0;
    }

    @Override
    public boolean isDone(long ticket) {
        use();
        while (reached < ticket && pending > 0 && driver.isReached(events[first])) {
            first = (first + 1) & events.length - 1;
            pending--;
            reached++;
        }
        return reached >= ticket;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        use();
        driver.synchronize(stream);
        for (long event : events) {
            if (event != 0) {
                driver.destroyEvent(event);
            }
        }
        driver.destroyStream(stream);
    }
}
