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
import java.util.stream.Stream;

/** Runs one part and turns what it left behind into checks. */
final class PartRunner {

    private static final int LINES_SHOWN = 15;

    private final Path root;
    private final Path outputs;

    /** Each part writes below {@code outputs}: its log, and what it puts into {@code $OUT}. */
    PartRunner(Path root, Path outputs) {
        this.root = root;
        this.outputs = outputs;
    }

    List<Check> run(Part part) throws IOException, InterruptedException {
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
        boolean explained = checks.stream().anyMatch(check -> check.outcome() == Check.Outcome.FAILED);
        String name = part.name() + ": " + part.title();
        if (result.timedOut()) {
            checks.add(Check.failed(
                    name,
                    "killed after " + Text.time(took) + ", its budget is " + Text.time(part.budget()) + tail(log),
                    took));
        } else if (!result.succeeded() && !explained) {
            checks.add(Check.failed(name, "ended with status " + result.status() + tail(log), took));
        } else if (part.results().isEmpty()) {
            checks.add(Check.passed(name, took));
        } else if (checks.isEmpty()) {
            checks.add(Check.failed(
                    name, "left no test results at " + String.join(" ", part.results()) + tail(log), took));
        }
        return checks;
    }

    /** What Maven calls an error if there is any, else the last lines. */
    private String tail(Path log) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        List<String> lines;
        try (Stream<String> all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            lines = all.filter(line -> !line.isBlank()).toList();
        }
        List<String> errors = lines.stream()
                .filter(line -> line.startsWith("[ERROR]"))
                .limit(LINES_SHOWN)
                .toList();
        List<String> shown =
                errors.isEmpty() ? lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()) : errors;
        return "; its log is " + root.relativize(log) + "\n" + String.join("\n", shown);
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
