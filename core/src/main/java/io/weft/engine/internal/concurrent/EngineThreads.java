package io.weft.engine.internal.concurrent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Makes the named daemon threads of one engine and knows which of them are left. Safe from any thread. */
public final class EngineThreads {
    private final String prefix;
    private final AtomicLong sequence = new AtomicLong();
    private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

    /**
     * Makes the factory of one engine.
     *
     * @param engine the engine's name, for people who read thread dumps
     */
    public EngineThreads(String engine) {
        prefix = "weft-" + engine + "-";
    }

    /**
     * A factory of daemon threads.
     *
     * @param role what its threads do, goes into their names
     * @return the factory
     */
    public ThreadFactory named(String role) {
        return task -> {
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.run();
                        } finally {
                            alive.remove(Thread.currentThread());
                        }
                    },
                    prefix + role + "-" + sequence.incrementAndGet());
            thread.setDaemon(true);
            alive.add(thread);
            return thread;
        };
    }

    /**
     * Waits for threads that are about to end.
     *
     * @param timeoutNanos the bound, for all together
     * @return names of those that are left, joined by commas; empty if none is
     * @throws InterruptedException if interrupted
     */
    public String awaitEnd(long timeoutNanos) throws InterruptedException {
        long end = System.nanoTime() + timeoutNanos;
        for (Thread thread : alive) {
            if (thread != Thread.currentThread()) {
                // Unlike join, does not throw for a thread that is not started yet.
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
            }
        }
        return alive.stream()
                .filter(thread -> thread != Thread.currentThread() && thread.isAlive())
                .map(Thread::getName)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
