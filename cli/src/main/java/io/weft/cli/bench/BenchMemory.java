package io.weft.cli.bench;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.TransferEngine;
import io.weft.cli.memory.StreamEnd;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A region of either kind with its bytes in reach: its own for host memory, a copy for device memory. One thread. */
final class BenchMemory implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Region region;
    private final MemorySegment bytes;
    private final Arena arena = Arena.ofShared();
    private final @Nullable DeviceMemory device;

    BenchMemory(BenchEngine open, TransferEngine engine, long length) {
        MemoryLocation location = open.location();
        region = engine.allocate(location, length, RegisterOptions.DEFAULT);
        boolean host = location.kind().isHost();
        device = host ? null : open.devices().get();
        bytes = host ? region.segment().orElseThrow() : arena.allocate(length, 4096);
    }

    Region region() {
        return region;
    }

    /** The bytes, to be {@link #push pushed} after a change and {@link #pull pulled} before a look. */
    MemorySegment bytes() {
        return bytes;
    }

    void push() {
        copy(true);
    }

    void pull() {
        copy(false);
    }

    private void copy(boolean toDevice) {
        if (device == null) {
            return;
        }
        try (DeviceStream stream = device.openStream(region.location().device())) {
            if (toDevice) {
                stream.copyToDevice(region.address(), bytes.address(), region.length());
            } else {
                stream.copyToHost(bytes.address(), region.address(), region.length());
            }
            StreamEnd.await(stream, "copy " + region.length() + " bytes", PATIENCE);
        }
    }

    @Override
    public void close() {
        region.close();
        if (device != null) {
            device.close();
        }
        arena.close();
    }
}
