package io.weft.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weft.telemetry.Metric;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class WeftMetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @ParameterizedTest
    @EnumSource(Metric.class)
    void prometheusSeesTheNameOfTheCatalogue(Metric metric) {
        String[] labels = metric.labels().toArray(String[]::new);
        new WeftMeters(reader -> reader.value(metric, 7, labels)).bindTo(registry);

        assertThat(registry.scrape())
                .containsPattern("(?m)^" + metric.prometheusName() + "(\\{[^}]*})? 7(\\.0)?$")
                .contains("# HELP " + metric.prometheusName());
    }

    @Test
    void valuesAreThoseOfTheLastReading() {
        AtomicLong value = new AtomicLong(1);
        WeftMeters meters = new WeftMeters(reader -> reader.value(Metric.TRANSFERS_STARTED, value.get(), "a"));
        meters.bindTo(registry);
        value.set(5);
        meters.refresh();

        assertThat(registry.scrape()).contains("weft_transfers_started_total{engine=\"a\"} 5.0");
    }
}
