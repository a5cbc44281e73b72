package io.weft.backend.libfabric;

import io.weft.ffi.Gate;
import io.weft.ffi.Poller;
import io.weft.spi.EngineClock;
import io.weft.spi.ProgressSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The domain's progress: takes turns over every endpoint, and blocks on the descriptors of their completion queues where the
 * provider has them.
 *
 * <p>Threading: {@link #progress} and {@link #await} by core's one thread; endpoints come and go from control threads.
 */
final class FabricSource implements ProgressSource {
    /** A provider's missed wake-up costs no more than this. */
    private static final long LONGEST_WAIT_NANOS = 10_000_000;

    private final OpenedFabric fabric;
    private final CopyOnWriteArrayList<Polled> polled = new CopyOnWriteArrayList<>();
    private final Poller poller = new Poller();
    private final Gate gate = new Gate();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment slot = arena.allocate(ValueLayout.ADDRESS);

    FabricSource(OpenedFabric fabric) {
        this.fabric = fabric;
    }

    void add(Polled one) {
        polled.add(one);
        poller.wakeup();
    }

    void remove(Polled one) {
        polled.remove(one);
    }

    List<Polled> all() {
        return List.copyOf(polled);
    }

    @Override
    public String name() {
        return "libfabric-" + fabric.traits().core();
    }

    @Override
    public int progress(int budget) {
        if (!gate.enter()) {
            return 0;
        }
        try {
            int events = 0;
            for (Polled one : polled) {
                events += one.poll(Math.max(1, budget - events));
            }
            return events;
        } finally {
            gate.leave();
        }
    }

    @Override
    public void await(long timeoutNanos) {
        if (!fabric.waits() || !gate.enter()) {
            return;
        }
        try {
            block(timeoutNanos);
        } finally {
            gate.leave();
        }
    }

    private void block(long timeoutNanos) {
        poller.clear();
        for (Polled one : polled) {
            RmaEndpoint endpoint = one.endpoint();
            if (!endpoint.gate.enter()) {
                continue;
            }
            try {
                if (!fabric.fabric().mayWait(slot, endpoint.cq)) {
                    return;
                }
                poller.add(endpoint.waitFd);
            } finally {
                endpoint.gate.leave();
            }
        }
        poller.await(Math.min(timeoutNanos, LONGEST_WAIT_NANOS));
    }

    @Override
    public void wakeup() {
        poller.wakeup();
    }

    /** Sends core's thread away for good; false if it did not leave in time. */
    boolean stop(EngineClock clock, long deadlineNanos) {
        gate.shut();
        poller.wakeup();
        return gate.awaitEmpty(clock, deadlineNanos);
    }

    /** Frees what is left, after {@link #stop}. */
    void close() {
        poller.close();
        arena.close();
    }
}
