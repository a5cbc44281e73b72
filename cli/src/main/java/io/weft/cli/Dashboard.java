package io.weft.cli;

import io.weft.telemetry.Metric;
import io.weft.telemetry.MetricKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A Grafana dashboard with one panel for each metric of the catalogue. */
final class Dashboard {
    private static final int COLUMNS = 3;
    private static final int WIDTH = 8;
    private static final int HEIGHT = 7;
    /** The schema that current Grafana versions migrate from by themselves. */
    private static final int SCHEMA = 39;

    private static final Map<String, Object> SOURCE = ordered("type", "prometheus", "uid", "${datasource}");

    private Dashboard() {}

    static Map<String, Object> json() {
        List<Map<String, Object>> panels = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            panels.add(panel(metric, panels.size()));
        }
        Map<String, Object> board = new LinkedHashMap<>();
        board.put("title", "Weft");
        board.put("uid", "weft");
        board.put("schemaVersion", SCHEMA);
        board.put("refresh", "10s");
        board.put("time", ordered("from", "now-30m", "to", "now"));
        board.put(
                "templating",
                Map.of("list", List.of(ordered("name", "datasource", "type", "datasource", "query", "prometheus"))));
        board.put("panels", panels);
        return board;
    }

    private static Map<String, Object> panel(Metric metric, int place) {
        Map<String, Object> at =
                ordered("x", place % COLUMNS * WIDTH, "y", place / COLUMNS * HEIGHT, "w", WIDTH, "h", HEIGHT);
        Map<String, Object> panel = ordered("id", place + 1, "type", "timeseries", "title", metric.metricName());
        panel.put("description", metric.meaning());
        panel.put("datasource", SOURCE);
        panel.put("gridPos", at);
        panel.put("fieldConfig", Map.of("defaults", Map.of("unit", unit(metric))));
        panel.put(
                "targets", List.of(ordered("refId", "A", "expr", expression(metric), "legendFormat", legend(metric))));
        return panel;
    }

    private static String expression(Metric metric) {
        String by = String.join(", ", concat("instance", metric.labels()));
        return metric.kind() == MetricKind.COUNTER
                ? "sum by (" + by + ") (rate(" + metric.prometheusName() + "[1m]))"
                : "sum by (" + by + ") (" + metric.prometheusName() + ")";
    }

    private static String legend(Metric metric) {
        return concat("instance", metric.labels()).stream()
                .filter(label -> !label.equals("engine"))
                .map(label -> "{{" + label + "}}")
                .collect(Collectors.joining(" "));
    }

    private static String unit(Metric metric) {
        if (metric.unit().equals("By")) {
            return metric.kind() == MetricKind.COUNTER ? "binBps" : "bytes";
        }
        return metric.kind() == MetricKind.COUNTER ? "cps" : "short";
    }

    private static List<String> concat(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }
}
