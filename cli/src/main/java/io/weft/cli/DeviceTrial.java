package io.weft.cli;

import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.cli.doctor.Finding;
import io.weft.cli.memory.StreamEnd;
import io.weft.discovery.Installation;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;

/** Takes bytes to memory of some kind and back, to see whether it can be used at all. Blocks, bounded. */
final class DeviceTrial {
    private static final int BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private DeviceTrial() {}

    static Finding run(Installation installation, MemoryLocation location) {
        String area = "memory " + location;
        if (location.kind().isHost()) {
            return Finding.ok(area, "host memory needs no driver");
        }
        try (DeviceMemory memory = DeviceMemories.open(installation, location)) {
            long address = memory.allocate(location.device(), BYTES);
            try {
                return thereAndBack(memory, location, address)
                        ? Finding.ok(area, BYTES + " bytes went there and came back")
                        : Finding.problem(area, "other bytes came back than went there", "check the driver's log");
            } finally {
                memory.free(address);
            }
        } catch (WeftException refused) {
            return Finding.problem(area, String.valueOf(refused.getMessage()), "see the lines of its kind above");
        }
    }

    private static boolean thereAndBack(DeviceMemory memory, MemoryLocation location, long address) {
        try (Arena arena = Arena.ofConfined();
                DeviceStream stream = memory.openStream(location.device())) {
            MemorySegment out = arena.allocate(BYTES, 4096);
            MemorySegment in = arena.allocate(BYTES, 4096);
            SplittableRandom random = new SplittableRandom(1);
            for (long i = 0; i < BYTES; i += Long.BYTES) {
                out.set(ValueLayout.JAVA_LONG, i, random.nextLong());
            }
            stream.copyToDevice(address, out.address(), BYTES);
            stream.copyToHost(in.address(), address, BYTES);
            StreamEnd.await(stream, "copy " + BYTES + " bytes to " + location + " and back", PATIENCE);
            return in.mismatch(out) == -1;
        }
    }
}
