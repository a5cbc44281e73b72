package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.DeviceMemory;
import io.weft.spi.EngineClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Takes bytes from host memory to a device, there from one region to another and back, and home again, through the registrations
 * that transfers would use and at offsets inside them, between two endpoints of this process. Only what carries them is declared
 * (rule DEV-5). Confined to one thread.
 */
final class HmemTrial implements AutoCloseable {
    private static final int BYTES = 64 << 10;
    private static final int LENGTH = 12_000;
    /** Neither the beginning of a region nor of a page, so that a registration of the wrong place shows. */
    private static final int SENT = 4_096 + 64;

    private static final int FIRST = 3 * 4_096 + 192;
    private static final int SECOND = 8 * 4_096 + 320;
    private static final int BACK = SENT + LENGTH;
    private static final int QUEUE_ENTRIES = 16;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long ALL = Fi.READ | Fi.WRITE | Fi.REMOTE_READ | Fi.REMOTE_WRITE;

    private interface Closing {
        void close() throws OfiException;
    }

    private final OpenedFabric fabric;
    private final EngineClock clock;
    private final DeviceMemory memory;
    private final MemoryLocation where;
    private final Hmem.Way way;
    private final Deque<Closing> open = new ArrayDeque<>();

    HmemTrial(OpenedFabric fabric, EngineClock clock, DeviceMemory memory, MemoryLocation where, Hmem.Way way) {
        this.fabric = fabric;
        this.clock = clock;
        this.memory = memory;
        this.where = where;
        this.way = way;
    }

    void run() throws OfiException {
        // Closed backwards: who moves bytes before the registrations, these before what they hang on, the memory last.
        MemorySegment host = hostMemory();
        long one = deviceMemory();
        long other = deviceMemory();
        RmaEndpoint target = endpoint();
        OfiMr hostMr = keep(Region.register(fabric, host.address(), BYTES, ALL));
        OfiMr oneMr = keep(Hmem.register(fabric, memory, where, way, one, BYTES, ALL));
        OfiMr otherMr = keep(Hmem.register(fabric, memory, where, way, other, BYTES, ALL));
        if (fabric.traits().facts().needs(Fi.MR_ENDPOINT)) {
            oneMr.enableOn(target.endpoint);
        }
        RegionKey key = Region.keyOf(fabric, oneMr, one);
        TrialLink link = new TrialLink(fabric, clock, endpoint(), target);

        for (int i = 0; i < LENGTH; i++) {
            host.set(ValueLayout.JAVA_BYTE, SENT + i, (byte) (i * 31 + i / 251 + 1));
        }
        link.write(hostMr, host.address() + SENT, key, FIRST, LENGTH);
        memory.flushRemoteWrites(where.device());
        link.read(otherMr, other + FIRST, key, FIRST, LENGTH);
        memory.flushRemoteWrites(where.device());
        link.write(otherMr, other + FIRST, key, SECOND, LENGTH);
        memory.flushRemoteWrites(where.device());
        link.read(hostMr, host.address() + BACK, key, SECOND, LENGTH);
        long differs = MemorySegment.mismatch(host, SENT, SENT + LENGTH, host, BACK, BACK + LENGTH);
        if (differs >= 0) {
            throw new WeftException(
                    ErrorCode.DEVICE,
                    "the provider reported success, and byte " + differs + " of " + LENGTH
                            + " came back changed from the device");
        }
    }

    private MemorySegment hostMemory() {
        Arena arena = Arena.ofShared();
        open.push(arena::close);
        return arena.allocate(BYTES, 4_096);
    }

    private long deviceMemory() {
        long address = memory.allocate(where.device(), BYTES);
        open.push(() -> memory.free(address));
        return address;
    }

    private RmaEndpoint endpoint() throws OfiException {
        RmaEndpoint made = RmaEndpoint.open(fabric, QUEUE_ENTRIES);
        open.push(() -> made.close(clock, clock.nanos() + PATIENCE_NANOS, () -> {}));
        return made;
    }

    private OfiMr keep(OfiMr mr) {
        open.push(mr::close);
        return mr;
    }

    @Override
    public void close() throws OfiException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
