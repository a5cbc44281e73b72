package io.weft.cli;

import io.weft.telemetry.MetricsPage;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what Weft measures. */
@Command(name = "metrics", description = "Print the catalogue of metrics, or the Grafana dashboard made from it.")
final class MetricsCommand extends WeftCommand {
    @ArgGroup
    Format format = new Format();

    /** At most one of them. */
    static final class Format {
        @Option(names = "--markdown", description = "Print the reference page docs/metrics.md (as without options).")
        boolean markdown;

        @Option(names = "--dashboard", description = "Print docs/grafana-dashboard.json.")
        boolean dashboard;
    }

    @Override
    public Integer call() {
        if (format.dashboard) {
            out().println(Json.write(Dashboard.json()));
        } else {
            out().print(MetricsPage.markdown());
        }
        return OK;
    }
}
