package io.weft.testkit.lone;

import io.weft.spi.Backend;
import io.weft.spi.ProgressModel;
import io.weft.spi.ProgressSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Drives a backend's first progress source as core does: one thread that spins a little, then blocks or parks. */
final class LoneDriver {
    private final ProgressSource source;
    private final boolean blocks;
    private final Thread thread;
    private volatile boolean stop;

    LoneDriver(Backend backend) {
        source = backend.progressSources().getFirst();
        blocks = backend.capabilities().progress() == ProgressModel.POLLABLE;
        thread = Thread.ofPlatform().daemon().name("driver-" + source.name()).start(this::run);
    }

    private void run() {
        int idle = 0;
        while (!stop) {
            if (source.progress(64) > 0) {
                idle = 0;
            } else if (++idle < 100) {
                Thread.yield();
            } else if (blocks) {
                source.await(TimeUnit.MILLISECONDS.toNanos(100));
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    void close() throws InterruptedException {
        stop = true;
        source.wakeup();
        thread.join(TimeUnit.SECONDS.toMillis(10));
        if (thread.isAlive()) {
            throw new IllegalStateException("the progress thread did not end");
        }
    }
}
