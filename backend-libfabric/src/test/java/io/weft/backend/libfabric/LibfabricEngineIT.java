package io.weft.backend.libfabric;

import io.weft.tck.trial.ProcessTrials;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"tcp", "shm"})
@Timeout(180)
@Tag("long")
class LibfabricEngineIT extends ProcessTrials {
    @Parameter
    String provider;

    @BeforeEach
    void open() {
        OfiLoader.Loaded loaded = OfiLoader.load(LibfabricBackendTest.LIBRARY);
        Assumptions.assumeTrue(
                loaded.ofi().isPresent(),
                "libfabric.so.1 is not installed (apt-get install libfabric1): " + loaded.firstFailure());
        Map<String, String> options = Map.of(
                "weft.backends.allow", "libfabric",
                "weft.backend.libfabric.provider", provider,
                "weft.backend.libfabric.library", LibfabricBackendTest.LIBRARY,
                "weft.heartbeat.interval", "200ms",
                "weft.heartbeat.suspect", "3s",
                // A child that only waits for a processor must not count as lost.
                "weft.heartbeat.lost", "10s");
        open(options, options);
    }
}
