package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.testkit.AssertingProvider;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that the target refuses while operations with them are in flight: fetched again once, released when nothing uses them. */
@Timeout(60)
class EngineKeysTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HeldProvider backend = new HeldProvider();
    private final TwoEngines engines = new TwoEngines(
            AssertingProvider.ofCore(backend), Map.of("weft.transfer.piece", "4096B", "weft.transfer.window", "8192B"));
    private final Region source = TwoEngines.random(engines.a, 100_000, new Random(1));
    private final Region target = TwoEngines.allocate(engines.b, 100_000);
    private final Region other = TwoEngines.allocate(engines.b, 1_000);

    @AfterEach
    void close() {
        backend.importGate.countDown();
        engines.close();
    }

    private Transfer write(long offset, long length) {
        return engines.a.write(source, offset, target.descriptor(), offset, length, TransferOptions.DEFAULT);
    }

    private void warmUpAndHold() throws InterruptedException {
        assertThat(write(0, 1).await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        backend.holding = true;
    }

    private void awaitHeld(int count) {
        Awaitility.await().atMost(PATIENCE).until(() -> backend.held.size() == count);
        backend.holding = false;
    }

    private void awaitImports(int count) {
        Awaitility.await().atMost(PATIENCE).until(() -> backend.imports.get() == count);
    }

    private void assertArrived(Transfer transfer) throws InterruptedException {
        assertThat(transfer.await(PATIENCE)).as(transfer::toString).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void severalOperationsOfATransferAreRefusedAndAllAreTriedAgainWithOneNewKey() throws InterruptedException {
        warmUpAndHold();
        Transfer transfer = write(0, 50_000);
        awaitHeld(2);
        backend.held.get(0).fail(ErrorCode.REMOTE_ACCESS);
        awaitImports(2);
        backend.held.get(1).fail(ErrorCode.REMOTE_ACCESS);
        assertArrived(transfer);
        assertThat(backend.imports).hasValue(2);
        assertThat(Arrays.equals(TwoEngines.bytes(target), 0, 50_000, TwoEngines.bytes(source), 0, 50_000))
                .isTrue();
    }

    @Test
    void aRefusedKeyOutlivesTheOperationsThatUseIt() throws InterruptedException {
        assertArrived(engines.a.write(source, 0, other.descriptor(), 0, 1, TransferOptions.DEFAULT));
        warmUpAndHold();
        Transfer transfer = write(0, 8_192);
        awaitHeld(2);
        backend.held.get(0).fail(ErrorCode.REMOTE_ACCESS);
        awaitImports(3);
        other.deregister(Duration.ofSeconds(5)); // releases what the initiator holds of that region, and of no other
        assertThat(transfer.state()).isEqualTo(TransferState.IN_PROGRESS);
        backend.held.get(1).succeed();
        assertArrived(transfer);
    }

    @Test
    void transfersBetweenTwoPostsWaitForTheNewKey() throws InterruptedException {
        warmUpAndHold();
        Transfer refused = write(0, 8_192);
        Transfer halfway = write(10_000, 50_000);
        awaitHeld(4);
        backend.importGate = new CountDownLatch(1);
        backend.held.get(0).fail(ErrorCode.REMOTE_ACCESS);
        awaitImports(2);
        for (int i = 1; i < 4; i++) {
            backend.held.get(i).succeed();
        }
        backend.importGate.countDown();
        assertArrived(refused);
        assertArrived(halfway);
        assertThat(halfway.receipt().orElseThrow().replays()).isZero();
    }

    @Test
    void aKeyThatIsRefusedAgainEndsTheTransfer() throws InterruptedException {
        warmUpAndHold();
        Transfer transfer = write(0, 4_096);
        Awaitility.await().atMost(PATIENCE).until(() -> backend.held.size() == 1);
        backend.held.get(0).fail(ErrorCode.REMOTE_ACCESS);
        awaitHeld(2);
        backend.held.get(1).fail(ErrorCode.REMOTE_ACCESS);
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.REMOTE_ACCESS);
        assertThat(backend.imports).hasValue(2);
    }
}
