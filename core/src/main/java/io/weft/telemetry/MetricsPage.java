package io.weft.telemetry;

/**
 * The catalogue as a page for readers.
 *
 * @since 0.1
 */
public final class MetricsPage {
    private MetricsPage() {}

    /**
     * Renders docs/metrics.md.
     *
     * @return Markdown
     */
    public static String markdown() {
        StringBuilder page = new StringBuilder("""
                # Metrics

                <!-- Made from io.weft.telemetry.Metric by: ./weft metrics --markdown > docs/metrics.md -->
                Read by `GET /metrics` of the operations endpoint ([operations](operations.md)), or in a program through
                `EngineTelemetry.of(engine).metrics()`. Counters start at 0 when their engine, manager or registry is opened. No label holds a
                peer, a room or a transfer: `weft inspect` tells of those.

                | metric | Prometheus | kind | unit | labels | meaning |
                | --- | --- | --- | --- | --- | --- |
                """);
        for (Metric metric : Metric.values()) {
            page.append("| `").append(metric.metricName()).append("` | `");
            page.append(metric.prometheusName()).append("` | ");
            page.append(metric.kind() == MetricKind.COUNTER ? "counter" : "gauge")
                    .append(" | `");
            page.append(metric.unit()).append("` | ");
            page.append(String.join(", ", metric.labels())).append(" | ");
            page.append(metric.meaning()).append(" |\n");
        }
        return page.toString();
    }
}
