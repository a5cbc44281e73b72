package io.weft.testkit;

import io.weft.spi.ProgressSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Checks that one thread only drives a source. */
final class AssertingSource implements ProgressSource {
    private final AssertingProvider report;
    private final ProgressSource delegate;
    private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();

    AssertingSource(AssertingProvider report, ProgressSource delegate) {
        this.report = report;
        this.delegate = delegate;
    }

    private void drivenBy(Thread thread) {
        if (driver.get() != thread && !driver.compareAndSet(null, thread)) {
            report.core("source " + name() + " driven by " + thread.getName() + " beside its own thread");
        }
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public int progress(int budget) {
        drivenBy(Thread.currentThread());
        return delegate.progress(budget);
    }

    @Override
    public void await(long timeoutNanos) {
        drivenBy(Thread.currentThread());
        delegate.await(timeoutNanos);
    }

    @Override
    public void wakeup() {
        delegate.wakeup();
    }
}
