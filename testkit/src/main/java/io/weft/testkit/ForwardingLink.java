package io.weft.testkit;

import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkSnapshot;
import io.weft.spi.Operation;
import java.util.Objects;

/** Passes every call on; to be extended by wrappers that change one. */
public class ForwardingLink implements Link {
    private final Link delegate;

    /**
     * Wraps a link.
     *
     * @param delegate gets the calls
     */
    public ForwardingLink(Link delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    @Override
    public int post(Operation operation) {
        return delegate.post(operation);
    }

    @Override
    public boolean fence(long deadlineNanos) {
        return delegate.fence(deadlineNanos);
    }

    @Override
    public boolean cancel(long token) {
        return delegate.cancel(token);
    }

    @Override
    public Limits limits(Limits backendLimits) {
        return delegate.limits(backendLimits);
    }

    @Override
    public LinkSnapshot snapshot() {
        return delegate.snapshot();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
