package io.weft.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(10)
class MetricTest {
    @ParameterizedTest
    @EnumSource(Metric.class)
    void isNamedAsOpenTelemetryNamesThings(Metric metric) {
        assertThat(metric.metricName()).matches("weft(\\.[a-z_]+)+");
        assertThat(metric.unit()).matches("1|By|s|\\{[a-z]+}");
        assertThat(metric.labels()).allMatch(label -> label.matches("[a-z]+"));
        assertThat(metric.meaning()).endsWith(".").doesNotContain("|");
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void hasNoLabelWithoutBound(Metric metric) {
        assertThat(metric.labels()).doesNotContain("peer", "room", "transfer", "address", "host");
    }

    @Test
    void namesAreDistinctForPrometheusToo() {
        assertThat(Arrays.stream(Metric.values()).map(Metric::prometheusName)).doesNotHaveDuplicates();
        assertThat(Metric.TRANSFER_BYTES.prometheusName()).isEqualTo("weft_transfers_bytes_total");
        assertThat(Metric.MEMORY_REGISTERED.prometheusName()).isEqualTo("weft_memory_registered_bytes");
    }
}
