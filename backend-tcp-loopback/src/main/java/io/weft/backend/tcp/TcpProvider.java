package io.weft.backend.tcp;

import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Provider {@code tcp}: sockets, works on every host. */
public final class TcpProvider implements BackendProvider {
    private static final List<Path> FACTS = List.of(
            Path.of("/proc/sys/net/ipv4/tcp_congestion_control"),
            Path.of("/proc/sys/net/core/wmem_max"),
            Path.of("/proc/sys/net/core/rmem_max"),
            Path.of("/proc/sys/net/ipv4/tcp_wmem"),
            Path.of("/proc/sys/net/ipv4/tcp_rmem"));

    /** For {@link java.util.ServiceLoader}. */
    public TcpProvider() {}

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public int priority() {
        return 10;
    }

    @Override
    public List<OptionSpec> options() {
        return TcpSettings.SPECS;
    }

    @Override
    public Availability probe(ProbeContext context) {
        List<String> evidence = new ArrayList<>();
        for (Path fact : FACTS) {
            try {
                // Not readString: it begins with one byte where a file has no size, and gets no more of a number of
                // /proc/sys.
                evidence.add(fact.getFileName() + " = " + String.join(" ", Files.readAllLines(fact)));
            } catch (IOException | SecurityException notLinux) {
                evidence.add(fact.getFileName() + ": cannot read " + fact);
            }
        }
        return Availability.usable(List.of()).withEvidence(evidence);
    }

    @Override
    public Backend open(BackendContext context) {
        return TcpBackend.open(context);
    }
}
