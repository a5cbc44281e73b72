package io.weft.cli;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Capabilities;
import io.weft.spi.Visibility;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;

/** A backend whose routes are degraded; tests name it in a service file of their own. */
public final class DegradedProvider extends ForwardingProvider {
    /** Made by {@link java.util.ServiceLoader}. */
    public DegradedProvider() {
        super(new MemProvider());
    }

    @Override
    public String name() {
        return "degraded";
    }

    @Override
    public Backend open(BackendContext context) {
        return new ForwardingBackend(super.open(context)) {
            @Override
            public Capabilities capabilities() {
                return Capabilities.builder()
                        .supportsHost(Visibility.COMPLETION)
                        .degraded("emulated in software")
                        .build();
            }
        };
    }
}
