package io.weft.telemetry.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.EventSettings;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransferEventTest {
    private static final int SUCCEEDED = 20_000;
    private static final int FAILED = 3_000;

    @TempDir
    Path directory;

    @Test
    void successesAreSampledAndFailuresAreNot() throws IOException {
        Map<String, Long> seen = recorded("");
        assertThat(seen.get("io.weft.Transfer")).isBetween(1L, SUCCEEDED / 2L);
        assertThat(seen).containsEntry("io.weft.TransferFailed", (long) FAILED);
    }

    @Test
    void whoWantsEachSuccessSwitchesTheSamplingOff() throws IOException {
        assertThat(recorded("off"))
                .containsEntry("io.weft.Transfer", (long) SUCCEEDED)
                .containsEntry("io.weft.TransferFailed", (long) FAILED);
    }

    private Map<String, Long> recorded(String throttle) throws IOException {
        Path file = directory.resolve("transfers.jfr");
        try (Recording recording = new Recording()) {
            EventSettings transfer = recording.enable("io.weft.Transfer");
            if (!throttle.isEmpty()) {
                transfer.with("throttle", throttle);
            }
            recording.enable("io.weft.TransferFailed");
            recording.start();
            for (int i = 0; i < SUCCEEDED; i++) {
                ended(i, "SUCCEEDED", "");
            }
            for (int i = 0; i < FAILED; i++) {
                ended(i, i % 2 == 0 ? "FAILED" : "CANCELLED", "FABRIC");
            }
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getEventType().getName())
                .filter(name -> name.startsWith("io.weft.Transfer"))
                .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    }

    private static void ended(int id, String state, String code) {
        TransferEvent.ended("engine", "peer", id, "WRITE", state, code, "tcp", 4_096, 1, 1, 0, 10, 10);
    }
}
