package io.weft.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One reading of a source, checked against the catalogue. */
public final class Readings implements MetricReader {
    private final Map<List<String>, Long> values = new HashMap<>();

    private Readings() {}

    /** Reads a source. */
    public static Readings of(MetricSource source) {
        Readings readings = new Readings();
        source.read(readings);
        return readings;
    }

    @Override
    public void value(Metric metric, long value, String... labels) {
        assertThat(labels).as(metric.metricName()).hasSameSizeAs(metric.labels());
        assertThat(values.put(key(metric, labels), value))
                .as("%s%s twice", metric, Arrays.toString(labels))
                .isNull();
    }

    /** The value with these labels, -1 if it was not told. */
    public long value(Metric metric, List<String> labels) {
        return values.getOrDefault(key(metric, labels.toArray(String[]::new)), -1L);
    }

    private static List<String> key(Metric metric, String... labels) {
        List<String> key = new java.util.ArrayList<>(List.of(metric.name()));
        key.addAll(List.of(labels));
        return key;
    }
}
