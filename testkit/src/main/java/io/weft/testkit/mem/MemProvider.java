package io.weft.testkit.mem;

import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import java.util.List;

/** Entry of the reference backend. Stateless; safe from any thread. */
public final class MemProvider implements BackendProvider {
    /** Made by {@link java.util.ServiceLoader}. */
    public MemProvider() {}

    @Override
    public String name() {
        return "mem";
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public List<OptionSpec> options() {
        return List.of();
    }

    @Override
    public Availability probe(ProbeContext context) {
        return Availability.usable(List.of());
    }

    @Override
    public Backend open(BackendContext context) {
        return new MemBackend(context);
    }
}
