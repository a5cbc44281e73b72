package io.weft.cli;

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

    @Override
    public Integer call() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BenchEngine engine = new BenchEngine(main().discovery(), main().sources(), backend);
        BenchTarget.serve(engine, Map.of(), in, out());
        return OK;
    }
}
