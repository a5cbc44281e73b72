package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.telemetry.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MetricsCommandTest {
    @TempDir
    Path directory;

    @Test
    void theReferenceInDocsIsWhatTheToolPrints() throws IOException {
        assertIsPrintedBy("metrics.md", "--markdown");
    }

    @Test
    void theDashboardInDocsIsWhatTheToolPrints() throws IOException {
        assertIsPrintedBy("grafana-dashboard.json", "--dashboard");
    }

    private void assertIsPrintedBy(String page, String option) throws IOException {
        InProcess run = InProcess.weft(directory, "metrics", option);
        assertThat(run.exit()).isZero();
        Path printed = Files.writeString(Path.of("target", page), run.out());

        assertThat(Path.of("..", "docs", page))
                .as("write it anew by: ./weft metrics %s > docs/%s", option, page)
                .hasSameTextualContentAs(printed);
    }

    @Test
    void theDashboardAsksForEveryMetricOfTheCatalogue() {
        String dashboard = InProcess.weft(directory, "metrics", "--dashboard").out();
        for (Metric metric : Metric.values()) {
            assertThat(dashboard).contains(metric.prometheusName());
        }
    }
}
