package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.telemetry.Metric;
import io.weft.telemetry.Readings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an engine tells of itself: metrics and flight recorder events. */
@Timeout(60)
class EngineTelemetryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final TwoEngines engines = TwoEngines.open();

    @AfterEach
    void close() {
        engines.close();
    }

    private void succeedAndFail() throws InterruptedException {
        Region source = TwoEngines.random(engines.a, 10_000, new Random(1));
        Region target = TwoEngines.allocate(engines.b, 10_000);
        Transfer good = engines.a.write(source, 0, target.descriptor(), 0, 10_000, TransferOptions.DEFAULT);
        assertThat(good.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        Transfer bad = engines.a.write(source, 0, target.descriptor(), 0, 10_001, TransferOptions.DEFAULT);
        assertThat(bad.await(PATIENCE)).isEqualTo(TransferState.FAILED);
    }

    private static Readings read(TransferEngine engine) {
        return Readings.of(EngineTelemetry.of(engine).orElseThrow().metrics());
    }

    @Test
    void metricsAddUpAtRest() throws InterruptedException {
        succeedAndFail();

        String key = engines.a.descriptor().key();
        Readings now = read(engines.a);
        assertThat(now.value(Metric.TRANSFERS_STARTED, List.of(key))).isEqualTo(2);
        assertThat(now.value(Metric.TRANSFERS_ENDED, List.of(key, "succeeded"))).isEqualTo(1);
        assertThat(now.value(Metric.TRANSFERS_ENDED, List.of(key, "failed"))).isEqualTo(1);
        assertThat(now.value(Metric.TRANSFERS_ENDED, List.of(key, "cancelled"))).isZero();
        assertThat(now.value(Metric.TRANSFERS_IN_FLIGHT, List.of(key))).isZero();
        assertThat(now.value(Metric.TRANSFER_BYTES, List.of(key))).isEqualTo(10_000);
        assertThat(now.value(Metric.TRANSFERS_FAILED, List.of(key, "INVALID_ARGUMENT")))
                .isEqualTo(1);
        assertThat(now.value(Metric.PEERS, List.of(key, "UP"))).isEqualTo(1);
        assertThat(now.value(Metric.CONTROL_EVENTS, List.of(key, "sessions.opened")))
                .isEqualTo(1);
    }

    @Test
    void flightRecorderSeesTransfersLinksRegistrationsAndFences() throws IOException, InterruptedException {
        Path file = directory.resolve("weft.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("Transfer", "TransferFailed", "Link", "Registration", "Fence")) {
                recording.enable("io.weft." + event);
            }
            // After a burst, such as another test's, the sampler leaves out some even of few.
            recording.enable("io.weft.Transfer").with("throttle", "off");
            recording.start();
            succeedAndFail();
            assertThat(engines.b.fence(engines.a.descriptor().key(), PATIENCE)).isTrue();
            recording.stop();
            recording.dump(file);
        }

        Map<String, List<RecordedEvent>> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.weft."))
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
        assertThat(events.get("io.weft.Transfer"))
                .extracting(event ->
                        event.getString("state") + " " + event.getString("code") + " " + event.getLong("bytes"))
                .containsExactly("SUCCEEDED  10000");
        assertThat(events.get("io.weft.TransferFailed"))
                .extracting(event ->
                        event.getString("state") + " " + event.getString("code") + " " + event.getLong("bytes"))
                .containsExactly("FAILED INVALID_ARGUMENT 0");
        assertThat(events.get("io.weft.Link"))
                .extracting(event -> event.getString("state"))
                .contains("CONNECTING", "UP");
        assertThat(events.get("io.weft.Registration"))
                .extracting(event -> event.getString("action"))
                .containsExactly("registered", "registered");
        assertThat(events.get("io.weft.Fence"))
                .anyMatch(event -> event.getString("side").equals("target") && event.getBoolean("quiet"));
    }
}
