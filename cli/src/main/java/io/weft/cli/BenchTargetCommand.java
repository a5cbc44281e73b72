package io.weft.cli;

import io.weft.api.MemoryLocation;
import io.weft.cli.bench.BenchEngine;
import io.weft.cli.bench.BenchTarget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The other process of {@code weft bench}, which starts it; of no use by hand. */
@Command(name = "bench-target", hidden = true, description = "The other process of weft bench.")
final class BenchTargetCommand extends WeftCommand {
    @Option(names = "--backend", defaultValue = "tcp", description = "The backend.")
    String backend = "tcp";

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            defaultValue = "host",
            description =
                    "Where the memory of both processes lies: host, cuda:0, hip:0, fake (default: ${DEFAULT-VALUE}).")
    String memory = "host";

    @Override
    public Integer call() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BenchEngine engine = engine(this, backend, memory);
        BenchTarget.serve(engine, Map.of(), in, out());
        return OK;
    }

    /** How a process of the benchmark opens its engine. */
    static BenchEngine engine(WeftCommand command, String backend, String memory) {
        MemoryLocation location;
        try {
            location = MemoryLocation.parse(memory);
        } catch (IllegalArgumentException e) {
            throw command.badUsage("--memory " + memory + ": " + e.getMessage());
        }
        Main main = command.main();
        return new BenchEngine(
                main.discovery(),
                main.sources(),
                backend,
                location,
                () -> DeviceMemories.open(main.installation(), location));
    }
}
