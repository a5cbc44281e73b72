package io.weft.tck.harness;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Reads and writes the bytes of a region, also where the CPU must not touch them (rule DEV-4). */
final class MemoryContent {
    private static final Map<String, DeviceMemory> OPEN = new ConcurrentHashMap<>();

    private MemoryContent() {}

    static byte[] get(Region region, long offset, int length) {
        byte[] bytes = new byte[length];
        if (region.segment().isPresent()) {
            MemorySegment.copy(region.segment().get(), ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        } else {
            onStream(
                    region.location(),
                    (stream, host) -> {
                        stream.copyToHost(host.address(), region.address() + offset, length);
                    },
                    host -> MemorySegment.copy(host, ValueLayout.JAVA_BYTE, 0, bytes, 0, length),
                    length);
        }
        return bytes;
    }

    static void put(Region region, long offset, byte[] bytes) {
        if (region.segment().isPresent()) {
            MemorySegment.copy(bytes, 0, region.segment().get(), ValueLayout.JAVA_BYTE, offset, bytes.length);
        } else {
            onStream(
                    region.location(),
                    (stream, host) -> {
                        MemorySegment.copy(bytes, 0, host, ValueLayout.JAVA_BYTE, 0, bytes.length);
                        stream.copyToDevice(region.address() + offset, host.address(), bytes.length);
                    },
                    host -> {},
                    bytes.length);
        }
    }

    private interface Copy {
        void queue(DeviceStream stream, MemorySegment host);
    }

    private interface After {
        void use(MemorySegment host);
    }

    private static void onStream(MemoryLocation location, Copy copy, After after, int length) {
        try (Arena arena = Arena.ofConfined();
                DeviceStream stream = open(location).openStream(location.device())) {
            MemorySegment host = arena.allocate(Math.max(1, length));
            copy.queue(stream, host);
            long ticket = stream.mark();
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (!stream.isDone(ticket)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new HarnessBroken("a copy of " + length + " bytes on " + location + " took over 10 s");
                }
                LockSupport.parkNanos(10_000);
            }
            after.use(host);
        }
    }

    private static DeviceMemory open(MemoryLocation location) {
        return OPEN.computeIfAbsent(
                location.kind().id(),
                id -> ServiceLoader.load(DeviceMemoryProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.kind().id().equals(id))
                        .findFirst()
                        .orElseThrow(
                                () -> new HarnessBroken("no device memory provider of kind " + id + " is on the path"))
                        .open());
    }
}
