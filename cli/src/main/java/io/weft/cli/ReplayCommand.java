package io.weft.cli;

import io.weft.replay.model.ModelPresets;
import io.weft.replay.run.Kill;
import io.weft.replay.run.Ratio;
import io.weft.replay.run.Replay;
import io.weft.replay.run.ReplayOptions;
import io.weft.replay.run.Soak;
import io.weft.replay.trace.SyntheticTrace;
import io.weft.replay.trace.Trace;
import io.weft.replay.trace.TraceFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replays a trace over a registry and rank processes on this host and checks every page that arrives. */
@Command(
        name = "replay",
        description = "Replay a request trace: registry, prefill and decode ranks as processes on loopback; decode"
                + " recomputes every page it receives.")
final class ReplayCommand extends WeftCommand {
    private static final Pattern RANKS = Pattern.compile("(\\d{1,2})(?:x(\\d{1,2}))?");
    private static final long SYNTHETIC_SEED = 1;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            defaultValue = "synthetic",
            description = "JSON lines with timestamp, input_length, output_length, hash_ids; or 'synthetic'."
                    + " Default: ${DEFAULT-VALUE}.")
    String trace = "synthetic";

    @Option(
            names = "--model",
            paramLabel = "NAME|FILE",
            defaultValue = "llama-3-8b",
            description = "llama-3-8b, llama-3-70b, qwen3-32b, deepseek-v3, qwen3-next-80b, gpt-oss-20b, or a JSON"
                    + " file. Default: ${DEFAULT-VALUE}.")
    String model = "llama-3-8b";

    @Option(
            names = "--scale",
            paramLabel = "F",
            defaultValue = "0.05",
            description = "Share of the model's layers and of a block's pages, above 0, at most 1. Default:"
                    + " ${DEFAULT-VALUE}.")
    double scale;

    @Option(
            names = "--prefill",
            paramLabel = "TPxPP",
            defaultValue = "2x1",
            description = "Prefill ranks: tensor x pipeline. Default: ${DEFAULT-VALUE}.")
    String prefill = "2x1";

    @Option(
            names = "--decode",
            paramLabel = "TP",
            defaultValue = "2",
            description = "Decode ranks. Default: ${DEFAULT-VALUE}.")
    int decode;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "tcp",
            description = "The backend that carries the pages. Default: ${DEFAULT-VALUE}.")
    String backend = "tcp";

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            defaultValue = "host",
            description = "Where the KV pools lie: host, cuda:0, hip:0, fake. Default: ${DEFAULT-VALUE}.")
    String memory = "host";

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "600",
            description = "Requests of the trace, at most. Default: ${DEFAULT-VALUE}.")
    int requests;

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "0",
            description = "Factor on the trace's arrival times; 0 sends as fast as there is room. Default:"
                    + " ${DEFAULT-VALUE}.")
    double speed;

    @Option(
            names = "--pool",
            paramLabel = "MIB",
            defaultValue = "512",
            description = "Memory for each rank's KV pool. Default: ${DEFAULT-VALUE}.")
    int poolMebibytes;

    @Option(
            names = "--request-timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "When a request is given up. Default: ${DEFAULT-VALUE}.")
    int requestSeconds;

    @Option(
            names = "--kill",
            paramLabel = "WHAT@P%",
            description = "Kill prefill:RANK, decode:RANK or registry in the middle of a transfer once P percent of the"
                    + " requests have ended, and start it again. May be given more than once.")
    List<String> kills = new ArrayList<>();

    @Option(
            names = "--soak",
            paramLabel = "SECONDS",
            description = "Replay the trace again and again for so long, and kill a process every minute, or as"
                    + " --kill-every says. Rank 0 of each side is spared.")
    @Nullable
    Integer soakSeconds;

    @Option(
            names = "--kill-every",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Time between the kills of --soak. Default: ${DEFAULT-VALUE}.")
    int killEverySeconds;

    @Option(names = "--corrupt", paramLabel = "1/N", description = "Flip a byte in every N-th page sent.")
    @Nullable
    String corrupt;

    @Option(names = "--drop-page", paramLabel = "1/N", description = "Leave out every N-th page.")
    @Nullable
    String dropPage;

    @Option(names = "--swap-heads", paramLabel = "1/N", description = "Exchange heads in every N-th page sent.")
    @Nullable
    String swapHeads;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result as JSON.")
    @Nullable
    Path json;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the result as a page to look at.")
    @Nullable
    Path report;

    @Override
    public Integer call() {
        ReplayRunner runner = new ReplayRunner(out(), err());
        return runner.run(prepare(), json, report) ? OK : FAILED;
    }

    private Replay prepare() {
        int[] ranks = ranks(prefill);
        if (requests < 1) {
            throw badUsage("--requests must be at least 1, found " + requests);
        }
        try {
            return new Replay(new ReplayOptions(
                    trace().first(requests),
                    ModelPresets.find(model),
                    scale,
                    ranks[0],
                    ranks[1],
                    decode,
                    backend,
                    memory,
                    speed,
                    (long) poolMebibytes << 20,
                    requestSeconds,
                    kills.stream().map(Kill::parse).toList(),
                    soakSeconds == null
                            ? null
                            : new Soak(Duration.ofSeconds(soakSeconds), Duration.ofSeconds(killEverySeconds)),
                    ratio(corrupt),
                    ratio(dropPage),
                    ratio(swapHeads),
                    main().sharedArguments()));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw badUsage(String.valueOf(e.getMessage()));
        }
    }

    private Trace trace() {
        return trace.equals("synthetic") ? SyntheticTrace.of(requests, SYNTHETIC_SEED) : TraceFile.read(Path.of(trace));
    }

    private int[] ranks(String text) {
        Matcher matcher = RANKS.matcher(text);
        if (!matcher.matches()) {
            throw badUsage("--prefill " + text + " is not of the form TPxPP, as 4x1");
        }
        String stages = matcher.group(2);
        return new int[] {Integer.parseInt(matcher.group(1)), stages == null ? 1 : Integer.parseInt(stages)};
    }

    private static Ratio ratio(@Nullable String text) {
        return text == null ? Ratio.NEVER : Ratio.parse(text);
    }
}
