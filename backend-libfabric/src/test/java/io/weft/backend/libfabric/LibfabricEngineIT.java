package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole engines in two processes, one of which is killed, stopped or asked to end. */
@ParameterizedClass
@ValueSource(strings = {"tcp", "shm"})
@Timeout(180)
@Tag("long")
class LibfabricEngineIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Parameter
    String provider;

    private Map<String, String> options;
    private TransferEngine engine;
    private Region source;

    @BeforeEach
    void open() {
        OfiLoader.Loaded loaded = OfiLoader.load(Pair.LIBRARY);
        Assumptions.assumeTrue(
                loaded.ofi().isPresent(),
                "libfabric.so.1 is not installed (apt-get install libfabric1): " + loaded.firstFailure());
        options = Map.of(
                "weft.backend.libfabric.provider", provider,
                "weft.backend.libfabric.library", Pair.LIBRARY,
                "weft.heartbeat.interval", "200ms",
                "weft.heartbeat.suspect", "3s",
                // A child that only waits for a processor must not count as lost.
                "weft.heartbeat.lost", "10s");
        engine = EngineChild.open("parent", options);
        source = engine.allocate(MemoryLocation.HOST, EngineChild.REGION, RegisterOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close(Duration.ofSeconds(10));
        }
    }

    private Transfer write(EngineChild child, long length, Duration deadline) {
        return engine.write(source, 0, child.memory, 0, length, TransferOptions.DEFAULT.withDeadline(deadline));
    }

    private static void assertSucceeds(Transfer transfer) throws InterruptedException {
        assertThat(transfer.await(PATIENCE)).as(transfer.text()).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void writesAndReadsAcrossProcesses() throws Exception {
        try (EngineChild child = new EngineChild(options)) {
            engine.addPeer(child.engine);
            source.segment().orElseThrow().fill((byte) 5);
            assertSucceeds(write(child, EngineChild.REGION, PATIENCE));
            assertThat(child.ask("only 5")).isEqualTo("yes");

            child.ask("fill 9");
            assertSucceeds(engine.read(source, 0, child.memory, 0, EngineChild.REGION, TransferOptions.DEFAULT));
            assertThat(EngineChild.only(source.segment().orElseThrow(), 9)).isEqualTo("yes");
        }
    }

    @Test
    void aTargetKilledInMidWriteIsLostInBoundsAndItsSuccessorWorks() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (EngineChild child = new EngineChild(options)) {
                engine.addPeer(child.engine);
                assertSucceeds(write(child, 64, PATIENCE));
                List<Transfer> many = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    many.add(write(child, EngineChild.REGION, Duration.ofSeconds(20)));
                }
                many.get(1).await(PATIENCE);

                child.killAndWait();

                long killed = System.nanoTime();
                for (Transfer transfer : many) {
                    assertThat(transfer.await(PATIENCE)).isNotEqualTo(TransferState.IN_PROGRESS);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(25));
                assertThat(many.getLast().state()).isEqualTo(TransferState.FAILED);
                assertThat(many.getLast().code()).get().isIn(ErrorCode.PEER_LOST, ErrorCode.UNREACHABLE);
                engine.removePeer(child.engine.key());
            }
        }
        try (EngineChild next = new EngineChild(options)) {
            engine.addPeer(next.engine);
            assertSucceeds(write(next, EngineChild.REGION, PATIENCE));
        }
    }

    @Test
    void aStoppedTargetCostsItsTransfersOnlyAndNoByteLandsLate() throws Exception {
        try (EngineChild child = new EngineChild(options)) {
            engine.addPeer(child.engine);
            source.segment().orElseThrow().fill((byte) 1);
            assertSucceeds(write(child, 64, PATIENCE));
            List<Transfer> many = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                many.add(write(child, EngineChild.REGION, Duration.ofSeconds(2)));
            }
            child.signal("STOP");
            for (Transfer transfer : many) {
                assertThat(transfer.await(PATIENCE)).isNotEqualTo(TransferState.IN_PROGRESS);
            }
            // What was terminal may be used again: the target must never see these bytes.
            source.segment().orElseThrow().fill((byte) 2);
            child.signal("CONT");
            child.ask("fence " + engine.descriptor().key());
            child.ask("fill 7");
            child.ask("gc");
            assertThat(child.ask("only 7")).isEqualTo("yes");

            source.segment().orElseThrow().fill((byte) 3);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> write(child, EngineChild.REGION, Duration.ofSeconds(10))
                                    .await(PATIENCE)
                            == TransferState.SUCCEEDED);
            assertThat(child.ask("only 3")).isEqualTo("yes");
        }
    }

    @Test
    void survivesCollectionsAndHonoursSigterm() throws Exception {
        try (EngineChild child = new EngineChild(options)) {
            engine.addPeer(child.engine);
            assertSucceeds(write(child, EngineChild.REGION, PATIENCE));
            for (int i = 0; i < 5; i++) {
                Transfer during = write(child, EngineChild.REGION, PATIENCE);
                assertThat(child.ask("gc")).isEqualTo("collected");
                System.gc();
                assertSucceeds(during);
            }

            assertThat(child.endBySigterm()).isEqualTo(143);
            assertThat(child.remainingOutput()).contains("hook ran");
        }
    }
}
