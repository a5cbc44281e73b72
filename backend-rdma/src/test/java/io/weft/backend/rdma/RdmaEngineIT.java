package io.weft.backend.rdma;

import io.weft.spi.Availability;
import io.weft.tck.trial.ProcessTrials;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Two devices where there are two, so that bytes really cross a wire. */
@Timeout(180)
class RdmaEngineIT extends ProcessTrials {
    @BeforeEach
    void open() {
        Availability here = new RdmaProbe(new Sysfs(Path.of("/")), "").run();
        Assumptions.assumeTrue(here.isUsable(), here.reason() + "; test-bed/run gives this test two Soft-RoCE devices");
        open(
                options(here.devices().getFirst().name()),
                options(here.devices().getLast().name()));
    }

    private static Map<String, String> options(String device) {
        return Map.of(
                "weft.backends.allow", "rdma",
                "weft.backend.rdma.device", device,
                "weft.heartbeat.interval", "200ms",
                "weft.heartbeat.suspect", "1s",
                "weft.heartbeat.lost", "3s");
    }
}
