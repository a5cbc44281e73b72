package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import java.nio.file.Path;
import java.util.List;

/** The entry of backend {@code rdma}, found by {@link java.util.ServiceLoader}. */
public final class RdmaProvider implements BackendProvider {
    /** For the service loader. */
    public RdmaProvider() {}

    @Override
    public String name() {
        return "rdma";
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public List<OptionSpec> options() {
        return RdmaOptions.ALL;
    }

    @Override
    public Availability probe(ProbeContext context) {
        return new RdmaProbe(new Sysfs(Path.of("/")), context.options().string(RdmaOptions.LIBRARY)).run();
    }

    @Override
    public Backend open(BackendContext context) {
        Sysfs sysfs = new Sysfs(Path.of("/"));
        RdmaDevice device = RdmaDevice.open(context.options(), sysfs);
        try {
            return new RdmaBackend(context, device, sysfs);
        } catch (VerbsException failed) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "rdma: opening " + device.name() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        }
    }
}
