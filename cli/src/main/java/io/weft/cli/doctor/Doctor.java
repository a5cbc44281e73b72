package io.weft.cli.doctor;

import io.weft.config.EngineOptions;
import io.weft.config.ToolOptions;
import io.weft.discovery.Installation;
import io.weft.ffi.SignalHandlers;
import io.weft.spi.OptionValues;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Runs all checks. */
public final class Doctor {
    private Doctor() {}

    /**
     * Looks at a host as it would be used with a configuration. Probes the backends; bounded by their timeout.
     *
     * @param host the host
     * @param installation what is installed and configured, not probed yet
     * @return a line for each thing looked at
     */
    public static List<Finding> examine(Host host, Installation installation) {
        OptionValues tool = installation.configuration().values(ToolOptions.GROUP);
        OptionValues engine = installation.configuration().values(EngineOptions.GROUP);
        SignalHandlers before = SignalHandlers.now();
        Installation probed = installation.probed();
        List<String> taken = before.restore();
        long planned = tool.bytes(ToolOptions.PLANNED_MEMORY);
        String advertised = engine.string(EngineOptions.ADVERTISE_HOST);
        List<Check> checks = List.of(
                new JavaCheck(SignalHandlers.class.getModule()),
                new BackendCheck(probed, wanted(tool, engine), taken),
                new LockedMemoryCheck(planned),
                new MemoryCheck(planned),
                new RdmaCheck(),
                new NetworkCheck(),
                new PortCheck(
                        engine.string(EngineOptions.LISTEN_HOST),
                        (int) engine.integer(EngineOptions.LISTEN_PORT),
                        advertised),
                new ContainerCheck(advertised),
                new ClockCheck());
        return checks.stream().flatMap(check -> check.run(host).stream()).toList();
    }

    private static Set<String> wanted(OptionValues tool, OptionValues engine) {
        Set<String> names = new HashSet<>(tool.list(ToolOptions.ALLOW));
        names.addAll(engine.list(EngineOptions.ORDER));
        return names;
    }
}
