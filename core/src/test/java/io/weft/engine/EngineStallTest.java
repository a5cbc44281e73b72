package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.telemetry.Check;
import io.weft.telemetry.EngineView;
import io.weft.telemetry.Metric;
import io.weft.telemetry.PeerView;
import io.weft.telemetry.Readings;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transfer that makes no progress: what an engine says of it, by itself and when asked. */
@Timeout(60)
class EngineStallTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FaultyProvider faults = new FaultyProvider(new MemProvider(), 1, FaultPlan.NONE);
    private final TwoEngines engines = new TwoEngines(
            AssertingProvider.ofCore(faults),
            Map.of("weft.stall.warning", "100ms", "weft.transfer.cancel-grace", "20ms"));
    private final Region source = TwoEngines.random(engines.a, 10_000, new Random(1));
    private final Region target = TwoEngines.allocate(engines.b, 10_000);
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger("io.weft.engine.internal.StallWatch");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            warnings.add(entry.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void close() {
        logger.removeHandler(handler);
        faults.plan(FaultPlan.NONE);
        engines.close();
    }

    private Transfer stalled() throws InterruptedException {
        Transfer first = engines.a.write(source, 0, target.descriptor(), 0, 1, TransferOptions.DEFAULT);
        assertThat(first.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        return engines.a.write(source, 0, target.descriptor(), 0, 10_000, TransferOptions.DEFAULT);
    }

    private EngineTelemetry telemetry() {
        return EngineTelemetry.of(engines.a).orElseThrow();
    }

    @Test
    void isWarnedAboutOnceWithAPicture() throws InterruptedException {
        Transfer victim = stalled();
        String its = "; transfer " + Long.toUnsignedString(victim.id()) + " waits for ";
        Awaitility.await().atMost(PATIENCE).until(() -> warnings.stream().anyMatch(text -> text.contains(its)));
        // Long enough for several more looks.
        Awaitility.await()
                .pollDelay(Duration.ofMillis(400))
                .atMost(PATIENCE)
                .until(() -> victim.state() == TransferState.IN_PROGRESS);

        // A machine that is slow enough makes the first transfer stall too.
        assertThat(warnings.stream().filter(text -> text.contains(its)))
                .singleElement()
                .asString()
                .startsWith("WEFT-STALL engine " + engines.a.descriptor().key() + ": 1 transfer with peer "
                        + engines.b.descriptor().key() + " makes no progress for 100 ms")
                .contains(its + "completion of 1 posted operations over mem")
                .contains("link over mem: UP")
                .contains("docs/operations.md");
        String key = engines.a.descriptor().key();
        assertThat(Readings.of(telemetry().metrics()).value(Metric.TRANSFERS_STALLED, List.of(key)))
                .isPositive();
        victim.cancel();
        assertThat(victim.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
    }

    @Test
    void isSeenInThePicture() throws InterruptedException {
        Transfer victim = stalled();
        Awaitility.await().atMost(PATIENCE).until(() -> faults.injected(Fault.STALL) > 0);

        EngineView view = telemetry().look(10, 10);
        assertThat(view.inFlight()).isEqualTo(1);
        PeerView peer = view.peers().getFirst();
        assertThat(peer.key()).isEqualTo(engines.b.descriptor().key());
        assertThat(peer.answered()).isTrue();
        assertThat(peer.oldest()).singleElement().satisfies(transfer -> {
            assertThat(transfer.id()).isEqualTo(victim.id());
            assertThat(transfer.posted()).isEqualTo(1);
            assertThat(transfer.waitsFor()).contains("completion of 1 posted operations over mem");
            assertThat(transfer.leftNanos()).isPositive();
        });
        assertThat(telemetry().look(0, 0).peersLeftOut()).isEqualTo(view.peers().size());
        victim.cancel();
        assertThat(victim.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
    }

    @Test
    void theEngineIsAliveUntilItIsClosed() {
        assertThat(telemetry().alive()).hasSize(3).allMatch(Check::ok);
        EngineTelemetry closing = telemetry();
        engines.a.close();
        assertThat(closing.alive()).singleElement().satisfies(check -> {
            assertThat(check.ok()).isFalse();
            assertThat(check.found()).contains("is closed");
        });
    }
}
