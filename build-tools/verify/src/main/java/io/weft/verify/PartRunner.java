package io.weft.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs one part and turns what it left behind into checks. */
final class PartRunner {

    private static final int LINES_SHOWN = 15;
    private static final String GOING_ONLINE = "maven: something is missing in the local repository, going online";

    private final Path root;
    private final Path outputs;

    /** Each part writes below {@code outputs}: its log, and what it puts into {@code $OUT}. */
    PartRunner(Path root, Path outputs) {
        this.root = root;
        this.outputs = outputs;
    }

    /**
     * What a part found.
     *
     * @param checks its tests, and the part itself where they do not tell how it ended
     * @param broken whether its command failed, so that what it makes may be missing
     */
    record Outcome(List<Check> checks, boolean broken) {}

    Outcome run(Part part) throws IOException, InterruptedException {
        Path directory = outputs.resolve(part.name());
        delete(directory);
        Path out = Files.createDirectories(directory.resolve("out"));
        Path log = directory.resolve("log.txt");
        // File times may be coarser than the clock.
        Instant since = Instant.now().minusSeconds(1);
        long began = System.nanoTime();
        Shell shell = new Shell(root, Map.of("OUT", out.toString()));
        Shell.Result result = shell.run(List.of("bash", "-c", part.run()), log, part.bound());
        Duration took = Duration.ofNanos(System.nanoTime() - began);

        List<Check> checks = new ArrayList<>(JUnitXml.readAll(root, part.results(), since));
        List<String> said = linesOf(log);
        List<String> failedGoals = failedGoals(said);
        // A build whose goals failed has more to tell than the tests that failed before.
        boolean explained =
                failedGoals.isEmpty() && checks.stream().anyMatch(check -> check.outcome() == Check.Outcome.FAILED);
        String name = part.name() + ": " + part.title();
        if (result.timedOut()) {
            checks.add(Check.failed(
                    name,
                    "killed after " + Text.time(took) + ", its budget is " + Text.time(part.budget())
                            + tail(log, said, failedGoals),
                    took));
        } else if (!result.succeeded() && !explained) {
            checks.add(Check.failed(name, "ended with status " + result.status() + tail(log, said, failedGoals), took));
        } else if (part.results().isEmpty()) {
            checks.add(Check.passed(name, took));
        } else if (checks.isEmpty()) {
            checks.add(Check.failed(
                    name,
                    "left no test results at " + String.join(" ", part.results()) + tail(log, said, failedGoals),
                    took));
        }
        return new Outcome(checks, !result.succeeded());
    }

    /** What Maven says at the end of a build that failed: each goal, with its reasons. */
    private static List<String> failedGoals(List<String> said) {
        return said.stream()
                .filter(line -> line.startsWith("[ERROR]"))
                .dropWhile(line -> !line.startsWith("[ERROR] Failed to execute goal"))
                .toList();
    }

    /** Those after the words with which build-tools/maven begins a second try, if it did. */
    private static List<String> linesOf(Path log) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        try (Stream<String> all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            List<String> lines = all.filter(line -> !line.isBlank()).toList();
            return lines.subList(lines.lastIndexOf(GOING_ONLINE) + 1, lines.size());
        }
    }

    /** The goals that failed, else what Maven calls an error, else the last lines. */
    private String tail(Path log, List<String> said, List<String> failedGoals) {
        List<String> shown = failedGoals;
        if (shown.isEmpty()) {
            shown = said.stream().filter(line -> line.startsWith("[ERROR]")).toList();
        }
        if (shown.isEmpty()) {
            shown = said.subList(Math.max(0, said.size() - LINES_SHOWN), said.size());
        }
        return "; its log is " + root.relativize(log) + "\n"
                + shown.stream().limit(LINES_SHOWN).collect(Collectors.joining("\n"));
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
