package io.weft.cli;

import io.weft.cli.vectors.Outcome;
import io.weft.cli.vectors.Outcome.Verdict;
import io.weft.cli.vectors.VectorRunner;
import io.weft.config.TextFile;
import io.weft.spi.WireVectors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/** Runs golden vectors through the product's codecs and planners. */
@Command(
        name = "vectors",
        description = "Run golden vectors through the codecs and planners of this build.",
        footer = {
            "%nPrints counts per kind and each failure with what was expected and what came out.",
            "A section that belongs to a backend without a codec on the path is skipped and counted."
        })
final class VectorsCommand extends WeftCommand {
    private static final int LARGEST = 256 << 20;
    private static final int SHOWN = 2000;

    @Parameters(paramLabel = "FILE.json", arity = "1..*", description = "Files of vectors.")
    List<Path> files = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        List<WireVectors> codecs = ServiceLoader.load(WireVectors.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        boolean ok = true;
        for (Path file : files) {
            ok &= run(file, new VectorRunner(codecs));
        }
        return ok ? OK : FAILED;
    }

    private boolean run(Path file, VectorRunner runner) throws IOException {
        List<Outcome> outcomes;
        try {
            outcomes = runner.run(TextFile.read(file.toString(), LARGEST));
        } catch (JacksonException notJson) {
            throw badUsage(file + " is no JSON: " + notJson.getOriginalMessage());
        }
        out().println(file);
        Map<String, Map<Verdict, Integer>> counts = new TreeMap<>();
        for (Outcome outcome : outcomes) {
            counts.computeIfAbsent(outcome.kind(), any -> new EnumMap<>(Verdict.class))
                    .merge(outcome.verdict(), 1, Integer::sum);
        }
        Table table = new Table("KIND", "PASSED", "FAILED", "SKIPPED");
        counts.forEach((kind, of) ->
                table.row(kind, count(of, Verdict.PASSED), count(of, Verdict.FAILED), count(of, Verdict.SKIPPED)));
        out().print(table);
        outcomes.stream().filter(o -> o.verdict() == Verdict.FAILED).forEach(this::explain);
        outcomes.stream()
                .filter(o -> o.verdict() == Verdict.SKIPPED)
                .map(Outcome::actual)
                .distinct()
                .forEach(why -> out().println("skipped: " + why));
        if (outcomes.isEmpty()) {
            out().println("FAILED: the file has no vector");
        }
        return !outcomes.isEmpty() && outcomes.stream().noneMatch(o -> o.verdict() == Verdict.FAILED);
    }

    private void explain(Outcome failure) {
        out().println("FAILED " + failure.kind() + " " + failure.vector());
        out().println("  expected " + shortened(failure.expected()));
        out().println("  actual   " + shortened(failure.actual()));
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "... (" + text.length() + " characters)";
    }

    private static String count(Map<Verdict, Integer> counts, Verdict verdict) {
        return Integer.toString(counts.getOrDefault(verdict, 0));
    }
}
