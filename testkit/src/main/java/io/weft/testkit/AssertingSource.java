package io.weft.testkit;

import io.weft.spi.ProgressSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Checks that one thread at a time drives a source. */
final class AssertingSource implements ProgressSource {
    private final AssertingProvider report;
    private final ProgressSource delegate;
    private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();

    AssertingSource(AssertingProvider report, ProgressSource delegate) {
        this.report = report;
        this.delegate = delegate;
    }

    private int alone(IntSupplier call) {
        Thread other = driver.getAndSet(Thread.currentThread());
        if (other != null) {
            report.core("source " + name() + " driven by "
                    + Thread.currentThread().getName() + " beside " + other.getName());
        }
        try {
            return call.getAsInt();
        } finally {
            driver.set(null);
        }
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public int progress(int budget) {
        return alone(() -> delegate.progress(budget));
    }

    @Override
    public void await(long timeoutNanos) {
        alone(() -> {
            delegate.await(timeoutNanos);
            return 0;
        });
    }

    @Override
    public void wakeup() {
        delegate.wakeup();
    }
}
