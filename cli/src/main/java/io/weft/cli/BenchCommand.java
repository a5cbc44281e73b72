package io.weft.cli;

import io.weft.cli.bench.BenchEngine;
import io.weft.cli.bench.BenchPlan;
import io.weft.cli.bench.BenchRow;
import io.weft.cli.bench.BenchRun;
import io.weft.cli.bench.BenchRun.Wait;
import io.weft.cli.bench.HostFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a backend between two processes of this host. */
@Command(
        name = "bench",
        description = "Measure transfers between two processes of this host.",
        footer = {
            "%nRows are printed as they come. Every row is checked afterwards: fresh bytes are moved, outside of what is",
            "timed, and compared at the destination."
        })
final class BenchCommand extends WeftCommand {
    /** What a transfer does. */
    enum Op {
        WRITE,
        READ
    }

    @Option(names = "--backend", defaultValue = "tcp", description = "The backend (default: ${DEFAULT-VALUE}).")
    String backend = "tcp";

    @Option(names = "--op", defaultValue = "write", description = "write or read (default: ${DEFAULT-VALUE}).")
    Op op = Op.WRITE;

    @Option(
            names = "--size",
            defaultValue = "1MiB",
            paramLabel = "SIZES",
            description = "Bytes of a segment: sizes separated by commas, or 64..64MiB for every fourth power of two"
                    + " between (default: ${DEFAULT-VALUE}).")
    String sizes = "1MiB";

    @Option(
            names = "--batch",
            defaultValue = "1",
            split = ",",
            paramLabel = "N",
            description = "Segments of a transfer (default: ${DEFAULT-VALUE}).")
    List<Integer> batches = List.of(1);

    @Option(
            names = "--lanes",
            split = ",",
            paramLabel = "N",
            description = "Lanes of the link; by default what the backend is set to.")
    List<Integer> lanes = new ArrayList<>();

    @Option(
            names = "--layout",
            defaultValue = "gap",
            description =
                    "How the segments of a batch lie: contiguous, gap (64 bytes between them) or shuffled (gap, and in"
                            + " random order here) (default: ${DEFAULT-VALUE}).")
    BenchPlan.Layout layout = BenchPlan.Layout.GAP;

    @Option(
            names = "--working-set",
            defaultValue = "256MiB",
            paramLabel = "BYTES|hot",
            description = "Memory that the transfers rotate over; hot is one batch (default: ${DEFAULT-VALUE}).")
    String workingSet = "256MiB";

    @Option(
            names = "--in-flight",
            defaultValue = "1",
            paramLabel = "N",
            description = "Transfers posted before the oldest is waited for (default: ${DEFAULT-VALUE}).")
    int inFlight = 1;

    @Option(names = "--seconds", defaultValue = "3", description = "Time measured per row (default: ${DEFAULT-VALUE}).")
    double seconds = 3;

    @Option(names = "--warmup", defaultValue = "2", description = "Seconds before that (default: ${DEFAULT-VALUE}).")
    double warmup = 2;

    @Option(
            names = "--wait",
            defaultValue = "adaptive",
            description = "adaptive (spins a little, yields, parks) or spin (default: ${DEFAULT-VALUE}).")
    Wait wait = Wait.ADAPTIVE;

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            defaultValue = "host",
            description =
                    "Where the memory of both processes lies: host, cuda:0, hip:0, fake (default: ${DEFAULT-VALUE}).")
    String memory = "host";

    @Option(names = "--json", paramLabel = "FILE", description = "Write host and rows to a file as well.")
    @Nullable
    Path json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Long> segmentBytes = ByteSizes.list(sizes, this::badUsage);
        long bytes = workingSet.equalsIgnoreCase("hot") ? 0 : ByteSizes.one(workingSet, this::badUsage);
        if (batches.stream().anyMatch(n -> n < 1) || inFlight < 1 || seconds <= 0 || warmup < 0) {
            throw badUsage("--batch, --in-flight and --seconds must be positive");
        }
        Map<String, Object> host = HostFacts.look();
        host.forEach((name, value) -> out().println(name + ": " + value));
        Columns.header(this);
        List<BenchRow> rows = new ArrayList<>();
        List<Integer> counts = lanes.isEmpty() ? List.of(0) : lanes;
        for (int count : counts) {
            measure(count, segmentBytes, bytes, rows);
        }
        if (json != null) {
            Files.writeString(json, Json.write(report(host, rows)) + System.lineSeparator());
        }
        return rows.stream().allMatch(BenchRow::verified) ? OK : FAILED;
    }

    private void measure(int laneCount, List<Long> segmentBytes, long bytes, List<BenchRow> rows)
            throws IOException, InterruptedException {
        Map<String, String> options = new LinkedHashMap<>();
        if (laneCount > 0) {
            options.put("weft.backend." + backend + ".lanes", Integer.toString(laneCount));
        }
        var settings = new BenchRun.Settings(op == Op.WRITE, seconds, warmup, inFlight, wait);
        try (BenchRun run = new BenchRun(engine(), options, settings, targetCommand(options))) {
            for (int batch : batches) {
                for (long size : segmentBytes) {
                    BenchRow row = run.measure(BenchPlan.of(size, batch, layout, bytes));
                    rows.add(row);
                    Columns.print(this, row);
                }
            }
        }
    }

    private BenchEngine engine() {
        return BenchTargetCommand.engine(this, backend, memory);
    }

    private List<String> targetCommand(Map<String, String> options) {
        List<String> command = SelfCommand.of(List.of());
        Map<String, String> all = new LinkedHashMap<>(main().settings);
        all.putAll(options);
        all.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        Path config = main().config;
        if (config != null) {
            command.addAll(List.of("--config", config.toString()));
        }
        command.addAll(List.of("bench-target", "--backend", backend, "--memory", memory));
        return command;
    }

    private Map<String, Object> report(Map<String, Object> host, List<BenchRow> rows) {
        Map<String, Object> report = new LinkedHashMap<>(host);
        report.put("backend", backend);
        report.put("memory", memory);
        report.put("op", op.name().toLowerCase(Locale.ROOT));
        report.put("layout", layout.name().toLowerCase(Locale.ROOT));
        report.put("workingSet", workingSet);
        report.put("inFlight", inFlight);
        report.put("wait", wait.name().toLowerCase(Locale.ROOT));
        report.put("rows", rows.stream().map(BenchRow::asMap).toList());
        return report;
    }

    /** The table, row by row as results come. */
    private static final class Columns {
        private static final String FORMAT = "%9s %6s %5s %9s %12s %10s %10s %10s %10s %s%n";

        private Columns() {}

        static void header(BenchCommand command) {
            command.out()
                    .printf(
                            FORMAT,
                            "SIZE",
                            "BATCH",
                            "LANES",
                            "GB/S",
                            "SEGMENTS/S",
                            "P50 US",
                            "P99 US",
                            "P99.9 US",
                            "ALLOC B",
                            "VERIFIED");
            command.out().flush();
        }

        static void print(BenchCommand command, BenchRow row) {
            command.out()
                    .printf(
                            Locale.ROOT,
                            FORMAT,
                            ByteSizes.text(row.size()),
                            row.batch(),
                            row.lanes(),
                            number("%.3f", row.gigabytesPerSecond()),
                            number("%.0f", row.segmentsPerSecond()),
                            number("%.1f", row.p50Micros()),
                            number("%.1f", row.p99Micros()),
                            number("%.1f", row.p999Micros()),
                            number("%.0f", row.bytesAllocatedPerTransfer()),
                            row.verified() ? "yes" : "NO");
            command.out().flush();
        }

        private static String number(String format, double value) {
            return String.format(Locale.ROOT, format, value);
        }
    }
}
