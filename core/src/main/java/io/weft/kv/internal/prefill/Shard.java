package io.weft.kv.internal.prefill;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * One thread that plans and submits for the rooms that belong to it, in the order in which they become ready. It never waits for
 * a transfer: a stuck one costs its room and one place of the window, nothing else.
 */
final class Shard {
    private final int window;
    private final BiConsumer<PrefillRoom, Shard> pump;
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Queue<PrefillRoom> ready = new ArrayDeque<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closing;

    Shard(String name, int window, BiConsumer<PrefillRoom, Shard> pump) {
        this.window = window;
        this.pump = pump;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** There may be something to submit for the room. */
    void wake(PrefillRoom room) {
        work.add(() -> ready.add(room));
    }

    /** Runs something on the shard's thread, before rooms that wait. */
    void execute(Runnable task) {
        work.add(task);
    }

    void started() {
        inFlight.incrementAndGet();
    }

    void ended() {
        if (inFlight.getAndDecrement() >= window) {
            work.add(() -> {});
        }
    }

    int waiting() {
        return work.size();
    }

    void close() {
        closing = true;
        thread.interrupt();
    }

    void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    private void run() {
        try {
            while (!closing) {
                work.take().run();
                for (Runnable more = work.poll(); more != null; more = work.poll()) {
                    more.run();
                }
                while (!ready.isEmpty() && inFlight.get() < window) {
                    pump.accept(ready.remove(), this);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
