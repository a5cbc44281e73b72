package io.weft.testkit;

import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import java.util.List;
import java.util.Objects;

/** Passes every call on; to be extended by wrappers that change one. */
public class ForwardingProvider implements BackendProvider {
    private final BackendProvider delegate;

    /**
     * Wraps a provider.
     *
     * @param delegate gets the calls
     */
    public ForwardingProvider(BackendProvider delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public String version() {
        return delegate.version();
    }

    @Override
    public SpiLevel builtFor() {
        return delegate.builtFor();
    }

    @Override
    public int priority() {
        return delegate.priority();
    }

    @Override
    public List<OptionSpec> options() {
        return delegate.options();
    }

    @Override
    public Availability probe(ProbeContext context) {
        return delegate.probe(context);
    }

    @Override
    public Backend open(BackendContext context) {
        return delegate.open(context);
    }
}
