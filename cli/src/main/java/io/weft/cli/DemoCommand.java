package io.weft.cli;

import io.weft.replay.model.ModelPresets;
import io.weft.replay.run.Ratio;
import io.weft.replay.run.Replay;
import io.weft.replay.run.ReplayOptions;
import io.weft.replay.trace.SyntheticTrace;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The main job, small enough to watch: a replay with fixed settings. */
@Command(
        name = "demo",
        description =
                "Show the main job in under a minute: two prefill ranks send the KV cache of 60 requests to two decode"
                        + " ranks, which check every page.")
final class DemoCommand extends WeftCommand {
    private static final int REQUESTS = 60;
    private static final long SEED = 7;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result as JSON.")
    @Nullable
    Path json;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "weft-demo.html",
            description = "Where the page to look at goes. Default: ${DEFAULT-VALUE}.")
    Path report = Path.of("weft-demo.html");

    @Override
    public Integer call() {
        out().println(
                        "Two prefill ranks, two decode ranks and a registry, each a process of its own, carry the KV cache of "
                                + REQUESTS + " requests");
        out().println(
                        "of a made-up conversation trace over TCP on loopback. Decode recomputes every page it receives.");
        out().println();
        out().flush();
        ReplayOptions options = new ReplayOptions(
                SyntheticTrace.of(REQUESTS, SEED),
                ModelPresets.find("llama-3-8b"),
                0.05,
                2,
                1,
                2,
                "tcp",
                "host",
                0,
                512L << 20,
                60,
                List.of(),
                null,
                Ratio.NEVER,
                Ratio.NEVER,
                Ratio.NEVER,
                main().sharedArguments());
        boolean good = new ReplayRunner(out(), err()).run(new Replay(options), json, report);
        if (good) {
            out().println();
            out().println("The report is " + report.toAbsolutePath().toUri());
            out().println("Next:");
            out().println("  ./weft replay --kill prefill:1@50%        a rank dies in mid-run and comes back");
            out().println("  ./weft replay --corrupt 1/100             wrong bytes are found");
            out().println("  ./weft replay --model deepseek-v3 --prefill 4x1 --decode 2");
            out().println("  ./weft backends                           what else could carry the pages, and why not");
        }
        return good ? OK : FAILED;
    }
}
