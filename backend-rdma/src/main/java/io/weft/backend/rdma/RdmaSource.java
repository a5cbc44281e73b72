package io.weft.backend.rdma;

import io.weft.backend.rdma.verbs.Ibv;
import io.weft.ffi.Gate;
import io.weft.ffi.Poller;
import io.weft.spi.EngineClock;
import io.weft.spi.ProgressSource;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The device's progress: takes turns over all completion queues, and blocks on the device's completion channel
 * and its asynchronous events. Those come up when nothing else does, as after a failure of the device or its port.
 *
 * <p>Threading: {@link #progress} and {@link #await} by core's one thread; links come and go from control threads.
 */
final class RdmaSource implements ProgressSource {
    private static final long LONGEST_WAIT_NANOS = 100_000_000;

    private final RdmaDevice device;
    private final CopyOnWriteArrayList<Polled> polled = new CopyOnWriteArrayList<>();
    private final Poller poller = new Poller();
    private final int channel;
    private final int async;
    private final Consumer<Ibv.AsyncEvent> onEvent;
    private final Gate gate = new Gate();

    /**
     * Begins.
     *
     * @param onEvent takes the device's asynchronous events, on core's thread; must not block
     */
    RdmaSource(RdmaDevice device, Consumer<Ibv.AsyncEvent> onEvent) {
        this.device = device;
        this.onEvent = onEvent;
        async = poller.add(Ibv.asyncFd(device.context()));
        channel = poller.add(Ibv.channelFd(device.channel()));
    }

    void add(Polled one) {
        polled.add(one);
    }

    void remove(Polled one) {
        polled.remove(one);
    }

    @Override
    public String name() {
        return "rdma-" + device.name();
    }

    @Override
    public int progress(int budget) {
        if (!gate.enter()) {
            return 0;
        }
        try {
            return pollAll();
        } finally {
            gate.leave();
        }
    }

    private int pollAll() {
        int events = 0;
        for (Polled one : polled) {
            events += one.poll();
        }
        return events;
    }

    @Override
    public void await(long timeoutNanos) {
        if (!gate.enter()) {
            return;
        }
        try {
            for (Polled one : polled) {
                one.arm();
            }
            // What completed before the queues were armed raises no event.
            if (pollAll() > 0) {
                return;
            }
            poller.await(Math.min(timeoutNanos, LONGEST_WAIT_NANOS));
            if (poller.isReady(async)) {
                takeAsyncEvents();
            }
            while (poller.isReady(channel)) {
                device.ibv().takeEvent(device.channel());
                poller.await(0);
            }
        } finally {
            gate.leave();
        }
    }

    private void takeAsyncEvents() {
        Ibv.AsyncEvent event;
        while ((event = device.ibv().takeAsyncEvent(device.context())) != null) {
            onEvent.accept(event);
        }
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

    void close() {
        poller.close();
    }
}
