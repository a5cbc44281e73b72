package io.weft.testkit.device;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Copies on a thread of its own, in order, as a copy engine does. Confined to one caller at a time. */
@SuppressWarnings("restricted") // views host memory by address, as a driver does
final class FakeStream implements DeviceStream {
    private static final long CLOSE_SECONDS = 10;

    private final ExecutorService engine = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("fake-copy").daemon().factory());
    private final AtomicLong done = new AtomicLong();
    private volatile @Nullable Throwable failure;
    private long queued;

    @Override
    public void copyToHost(long hostAddress, long deviceAddress, long length) {
        MemorySegment device = FakeDeviceMemory.shadow(deviceAddress, length);
        queue(host(hostAddress, length), device, length);
    }

    @Override
    public void copyToDevice(long deviceAddress, long hostAddress, long length) {
        MemorySegment device = FakeDeviceMemory.shadow(deviceAddress, length);
        queue(device, host(hostAddress, length), length);
    }

    private static MemorySegment host(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    private void queue(MemorySegment to, MemorySegment from, long length) {
        queued++;
        engine.execute(() -> {
            try {
                MemorySegment.copy(from, 0, to, 0, length);
            } catch (RuntimeException e) {
                failure = e;
            } finally {
                done.incrementAndGet();
            }
        });
    }

    @Override
    public long mark() {
        return queued;
    }

    @Override
    public boolean isDone(long ticket) {
        Throwable cause = failure;
        if (cause != null) {
            throw new WeftException(ErrorCode.DEVICE, "fake device: a copy failed: " + cause, 0, cause);
        }
        return done.get() >= ticket;
    }

    @Override
    public void close() {
        engine.shutdown();
        try {
            if (!engine.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new WeftException(
                        ErrorCode.DEVICE, "fake device: copies did not end within " + CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
