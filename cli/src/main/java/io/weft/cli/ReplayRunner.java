package io.weft.cli;

import io.weft.replay.rank.RankException;
import io.weft.replay.report.HtmlReport;
import io.weft.replay.report.JsonReport;
import io.weft.replay.run.RankReport;
import io.weft.replay.run.Replay;
import io.weft.replay.run.ReplayResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a replay for a person: progress on a terminal, a table at the end, files where asked for. */
final class ReplayRunner {
    /** Ranks share the host with one another: a small heap, and no more compiler and collector threads than needed. */
    private static final List<String> RANK_JVM = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:CICompilerCount=2");

    private final PrintWriter out;
    private final PrintWriter err;

    ReplayRunner(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** True if every page was right and nothing failed that was not broken on purpose. */
    boolean run(Replay replay, @Nullable Path json, @Nullable Path report) {
        Path directory = temporaryDirectory();
        try {
            ReplayResult result = replay.run(this::command, directory, progress());
            print(result);
            write(json, () -> Json.write(JsonReport.of(result)));
            write(report, () -> HtmlReport.of(result, ZonedDateTime.now(ZoneId.systemDefault())));
            if (result.isGood()) {
                delete(directory);
            } else {
                err.println("weft: layouts and logs of the ranks are in " + directory);
            }
            return result.isGood();
        } catch (RankException e) {
            err.println("weft: " + e.getMessage());
            err.println("weft: layouts and logs of the ranks are in " + directory);
            return false;
        }
    }

    private List<String> command(List<String> arguments) {
        List<String> command = SelfCommand.of(RANK_JVM);
        command.addAll(arguments);
        return command;
    }

    /** One line that is written over on a terminal; nothing elsewhere, so that logs stay readable. */
    private Consumer<String> progress() {
        if (System.console() == null || !System.console().isTerminal()) {
            return line -> {};
        }
        return line -> {
            err.print("\r\033[K" + line);
            err.flush();
        };
    }

    private void print(ReplayResult result) {
        if (System.console() != null && System.console().isTerminal()) {
            err.print("\r\033[K");
            err.flush();
        }
        Table table = new Table("", "");
        table.row("requests", result.succeeded() + " of " + result.requests().size() + " succeeded");
        table.row("pages sent", String.valueOf(result.sent()));
        table.row("pages verified", result.verified() + ", wrong " + result.mismatched());
        table.row("pages by prefix hit", String.valueOf(result.prefixPages()));
        table.row(
                "moved",
                String.format(
                        Locale.ROOT,
                        "%.2f GB in %.1f s, %.2f GB/s",
                        result.bytes() / 1e9,
                        result.seconds(),
                        result.bytes() / 1e9 / result.seconds()));
        table.row(
                "transfer latency",
                String.format(
                        Locale.ROOT,
                        "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms",
                        result.latency().p50() / 1e3,
                        result.latency().p90() / 1e3,
                        result.latency().p99() / 1e3,
                        result.latency().max() / 1e3));
        table.row("backend", result.options().backend());
        out.print(table);
        result.outages().forEach(outage -> out.println("killed on purpose: " + outage));
        if (!result.outages().isEmpty()) {
            out.println(result.succeededAfterOutages() + " requests admitted after that succeeded, "
                    + result.unexplained() + " failed that were not open when a process died");
        }
        for (RankReport rank : result.ranks()) {
            if (!rank.first().isEmpty()) {
                out.println(rank.name() + " at the first rest: " + rank.first() + ", at the last: " + rank.last());
            }
            rank.left().forEach(what -> out.println("left at rest in " + rank.name() + ": " + what));
        }
        for (Map.Entry<String, Long> reason : result.reasons().entrySet()) {
            out.println("failed " + reason.getValue() + ": " + reason.getKey());
        }
    }

    private void write(@Nullable Path file, java.util.function.Supplier<String> content) {
        if (file == null) {
            return;
        }
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            Files.writeString(file, content.get());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e, e);
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("weft-replay-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for the ranks' logs: " + e, e);
        }
    }

    private static void delete(Path directory) {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            System.getLogger(ReplayRunner.class.getName())
                    .log(System.Logger.Level.DEBUG, "temporary directory stays: " + directory, e);
        }
    }
}
