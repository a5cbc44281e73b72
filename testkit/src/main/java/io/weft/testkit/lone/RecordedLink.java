package io.weft.testkit.lone;

import io.weft.api.ErrorCode;
import io.weft.spi.LinkEvents;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps what a link reports. Safe from any thread. */
public final class RecordedLink implements LinkEvents {
    private final AtomicInteger writable = new AtomicInteger();
    private final AtomicReference<@Nullable ErrorCode> down = new AtomicReference<>();
    private final CountDownLatch downLatch = new CountDownLatch(1);

    /** Starts empty. */
    public RecordedLink() {}

    @Override
    public void onWritable() {
        writable.incrementAndGet();
    }

    @Override
    public void onDown(ErrorCode code, long nativeCode, String text) {
        down.compareAndSet(null, code);
        downLatch.countDown();
    }

    /**
     * How often the link became writable.
     *
     * @return a count
     */
    public int writableCalls() {
        return writable.get();
    }

    /**
     * Why the link went down.
     *
     * @return the first code, null while it is up
     */
    public @Nullable ErrorCode down() {
        return down.get();
    }

    /**
     * To wait for the link to go down.
     *
     * @return a latch that opens then
     */
    public CountDownLatch downLatch() {
        return downLatch;
    }
}
