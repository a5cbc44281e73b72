package io.weft.bench.engine;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weft.ops.WeftMeters;
import io.weft.telemetry.MetricSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/**
 * Looks at an engine and away again. A recording runs all the time and is only told what to record, since its start and end would weigh more on a
 * short slice than what it records.
 */
final class Looks implements AutoCloseable {
    private static final List<String> EVENTS =
            List.of("Transfer", "TransferFailed", "Link", "Room", "Stall", "Registration", "Fence");

    /** When metrics are read in a slice of 100 ms. */
    private static final long READ_AFTER_MILLIS = 40;

    /** With {@code metrics} alone they are read in each slice, ten times a second, so that it shows; with {@code both} in each tenth. */
    private static final int BOTH_READS_IN = 10;

    private static final long MOST_BYTES = 32L << 20;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final WeftMeters meters;
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor();
    private final Recording recording = new Recording();
    private int slices;

    Looks(MetricSource metrics) {
        meters = new WeftMeters(metrics);
        meters.bindTo(registry);
        recording.setMaxSize(MOST_BYTES);
        record(false);
        recording.start();
    }

    /** Looks as {@code off}, {@code metrics}, {@code jfr} or {@code both} says, until it is told otherwise. */
    void look(String how) {
        boolean both = how.equals("both");
        record(both || how.equals("jfr"));
        if (how.equals("metrics") || both && slices++ % BOTH_READS_IN == 0) {
            var unused = reader.schedule(this::read, READ_AFTER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void read() {
        meters.refresh();
        registry.scrape();
    }

    private void record(boolean events) {
        for (String event : EVENTS) {
            if (events) {
                recording.enable("io.weft." + event);
            } else {
                recording.disable("io.weft." + event);
            }
        }
    }

    @Override
    public void close() {
        recording.close();
        reader.shutdownNow();
    }
}
