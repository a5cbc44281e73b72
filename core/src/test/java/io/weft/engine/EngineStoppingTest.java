package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.api.Region;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancels, deadlines, broken links: transfers end in bounded time, say truly what is quiesced, and leave others alone. */
@Timeout(60)
class EngineStoppingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final FaultPlan STALL = FaultPlan.NONE.with(Fault.STALL, 1);
    private static final FaultPlan DROP = FaultPlan.NONE.with(Fault.DROP, 1);

    private final FaultyProvider faults = new FaultyProvider(new MemProvider(), 1, FaultPlan.NONE);
    private final TwoEngines engines = new TwoEngines(
            AssertingProvider.ofCore(faults),
            Map.of(
                    "weft.transfer.cancel-grace",
                    "20ms",
                    "weft.transfer.piece",
                    "4096B",
                    "weft.transfer.window",
                    "8192B"));
    private final Region source = TwoEngines.random(engines.a, 100_000, new Random(1));
    private final Region target = TwoEngines.allocate(engines.b, 100_000);

    @AfterEach
    void close() {
        faults.plan(FaultPlan.NONE);
        engines.close();
    }

    private Transfer write(long offset, long length, TransferOptions options) {
        return engines.a.write(source, offset, target.descriptor(), offset, length, options);
    }

    private void warmUp() throws InterruptedException {
        assertThat(write(0, 1, TransferOptions.DEFAULT).await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
    }

    /** The plan counts when an operation is posted, which another thread may do. */
    private void awaitInjected(Fault fault, int times) {
        Awaitility.await().atMost(PATIENCE).until(() -> faults.injected(fault) >= times);
    }

    @Test
    void cancelOfAStalledTransferBreaksTheLinkAndReplaysTheOthers() throws InterruptedException {
        warmUp();
        // The victim's completions are lost, so that the backend cannot withdraw its operations one by one.
        faults.plan(DROP);
        Transfer victim = write(0, 50_000, TransferOptions.DEFAULT);
        awaitInjected(Fault.DROP, 2);
        faults.plan(STALL);
        List<Transfer> innocent = new ArrayList<>();
        for (int i = 5; i < 10; i++) {
            innocent.add(write(10_000 * i, 10_000, TransferOptions.DEFAULT));
        }
        awaitInjected(Fault.STALL, 5 * 2);
        faults.plan(FaultPlan.NONE);
        victim.cancel();
        victim.cancel();
        assertThat(victim.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
        assertThat(victim.code()).contains(ErrorCode.CANCELLED);
        assertThat(victim.receipt().orElseThrow().remote()).isEqualTo(RemoteQuiescence.QUIESCED);
        assertThat(engines.a.awaitAll(innocent, PATIENCE).state()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(innocent.getFirst().receipt().orElseThrow().replays()).isPositive();
        byte[] there = TwoEngines.bytes(target);
        assertThat(Arrays.equals(there, 50_000, 100_000, TwoEngines.bytes(source), 50_000, 100_000))
                .isTrue();
    }

    @Test
    void whatTheBackendCanWithdrawCostsNoLink() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer victim = write(0, 50_000, TransferOptions.DEFAULT);
        awaitInjected(Fault.STALL, 2);
        faults.plan(FaultPlan.NONE);
        victim.cancel();
        assertThat(victim.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
        Transfer next = write(0, 10_000, TransferOptions.DEFAULT);
        assertThat(next.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        assertThat(next.receipt().orElseThrow().replays()).isZero();
    }

    @Test
    void deadlineOfAStalledTransferEndsItWithinTheQuiesceTime() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer transfer = write(0, 50_000, TransferOptions.DEFAULT.withDeadline(Duration.ofMillis(100)));
        assertThat(transfer.await(Duration.ofMillis(1_100 + 500))).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.DEADLINE_EXCEEDED);
        assertThat(transfer.text())
                .contains("100 ms")
                .contains("with the backend")
                .contains("mem");
        assertThat(transfer.receipt().orElseThrow().remote()).isEqualTo(RemoteQuiescence.QUIESCED);
        faults.plan(FaultPlan.NONE);
        warmUp();
    }

    @Test
    void lostCompletionsAreFoundByTheFence() throws InterruptedException {
        warmUp();
        faults.plan(DROP);
        Transfer transfer = write(0, 4_000, TransferOptions.DEFAULT.withDeadline(Duration.ofMillis(100)));
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.DEADLINE_EXCEEDED);
    }

    @Test
    void cancelBeforeAnythingIsPostedMovesNothing() throws InterruptedException {
        Transfer transfer = write(0, 50_000, TransferOptions.DEFAULT.withReadyWhen(() -> false));
        transfer.cancel();
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
        assertThat(transfer.receipt().orElseThrow().operations()).isZero();
        assertThat(TwoEngines.bytes(target)).containsOnly(0);
    }

    @Test
    void cancelAfterTheEndChangesNothing() throws InterruptedException {
        Transfer transfer = write(0, 10, TransferOptions.DEFAULT);
        transfer.await(PATIENCE);
        transfer.cancel();
        assertThat(transfer.state()).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void aFailingLinkIsRebuiltAndItsTransfersReplayed() throws InterruptedException {
        warmUp();
        faults.plan(FaultPlan.NONE.with(Fault.FAIL_AFTER, 0.2));
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            transfers.add(write(10_000 * i, 10_000, TransferOptions.DEFAULT));
        }
        awaitInjected(Fault.FAIL_AFTER, 1);
        faults.plan(FaultPlan.NONE);
        assertThat(engines.a.awaitAll(transfers, PATIENCE).state()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(TwoEngines.bytes(target)).isEqualTo(TwoEngines.bytes(source));
    }

    @Test
    void aTransferThatBreaksEveryLinkFailsWithTheFabricsCode() throws InterruptedException {
        warmUp();
        faults.plan(FaultPlan.NONE.with(Fault.FAIL_BEFORE, 1));
        Transfer transfer = write(0, 10_000, TransferOptions.DEFAULT);
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.FABRIC);
        assertThat(transfer.nativeCode()).isEqualTo(FaultyProvider.INJECTED);
        assertThat(transfer.text()).contains("mem").contains("FABRIC");
    }

    @Test
    void lossOfThePeerFailsItsTransfersAndIsOverWhenItComesBack() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            transfers.add(write(10_000 * i, 10_000, TransferOptions.DEFAULT));
        }
        engines.b.close(Duration.ZERO);
        for (Transfer transfer : transfers) {
            assertThat(transfer.await(PATIENCE)).as(transfer::toString).isEqualTo(TransferState.FAILED);
            assertThat(transfer.code()).as(transfer::toString).contains(ErrorCode.PEER_LOST);
        }
        assertThat(engines.a.peerState(engines.b.descriptor().key())).contains(PeerState.LOST);
        faults.plan(FaultPlan.NONE);
        Transfer refused = write(0, 10, TransferOptions.DEFAULT);
        assertThat(refused.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(refused.code()).contains(ErrorCode.UNREACHABLE);
    }

    @Test
    void removingAPeerCancelsItsTransfers() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer transfer = write(0, 50_000, TransferOptions.DEFAULT);
        String key = engines.b.descriptor().key();
        engines.a.removePeer(key);
        engines.a.removePeer(key);
        assertThat(transfer.state()).isEqualTo(TransferState.CANCELLED);
        assertThat(engines.a.peerState(key)).isEmpty();
        assertThat(write(0, 1, TransferOptions.DEFAULT).code()).contains(ErrorCode.NOT_REGISTERED);
        faults.plan(FaultPlan.NONE);
        engines.a.addPeer(engines.b.descriptor());
        warmUp();
    }

    @Test
    void anotherPeerGoesOnWhileOneStands() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer stuck = write(0, 50_000, TransferOptions.DEFAULT);
        awaitInjected(Fault.STALL, 2);
        faults.plan(FaultPlan.NONE);
        try (var c = TwoEngines.open("c", faults, Map.of())) {
            engines.a.addPeer(c.descriptor());
            Region other = TwoEngines.allocate(c, 100_000);
            Transfer transfer = engines.a.write(source, 0, other.descriptor(), 0, 100_000, TransferOptions.DEFAULT);
            assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
            assertThat(stuck.state()).isEqualTo(TransferState.IN_PROGRESS);
        }
        stuck.cancel();
        assertThat(stuck.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
    }

    @Test
    void aFenceEndsWhatItsPeerHasUnderWayInsteadOfLettingItComeBack() throws InterruptedException {
        warmUp();
        byte[] before = TwoEngines.bytes(target);
        faults.plan(STALL);
        Transfer stuck = write(0, 50_000, TransferOptions.DEFAULT);
        awaitInjected(Fault.STALL, 2);
        faults.plan(FaultPlan.NONE);
        assertThat(engines.b.fence(engines.a.descriptor().key(), Duration.ofSeconds(5)))
                .isTrue();
        assertThat(stuck.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(stuck.code()).contains(ErrorCode.PEER_LOST);
        assertThat(stuck.text()).contains("fence peer " + engines.a.descriptor().key());
        assertThat(TwoEngines.bytes(target)).isEqualTo(before);
    }

    @Test
    void afterAFenceTransfersConnectAnew() throws InterruptedException {
        warmUp();
        assertThat(engines.b.fence(engines.a.descriptor().key(), Duration.ofSeconds(5)))
                .isTrue();
        // One that begins before the peer has heard of the fence may end with it.
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> write(0, 100_000, TransferOptions.DEFAULT).await(PATIENCE) == TransferState.SUCCEEDED);
        assertThat(engines.b.fence("nobody", Duration.ofSeconds(5))).isTrue();
        assertThat(TwoEngines.bytes(target)).isEqualTo(TwoEngines.bytes(source));
    }

    @Test
    void deregisteringUnderATransferEndsItAndThenNobodyTouchesTheMemory() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer transfer = write(0, 50_000, TransferOptions.DEFAULT);
        awaitInjected(Fault.STALL, 2);
        source.deregister(Duration.ofMillis(50));
        assertThat(transfer.state()).isEqualTo(TransferState.CANCELLED);
        assertThat(transfer.text()).contains("deregistered");
        assertThat(write(0, 1, TransferOptions.DEFAULT).code()).contains(ErrorCode.CLOSED);
    }

    @Test
    void deregisteringTheTargetIsKnownToItsPeersWhenItReturns() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer running = write(0, 50_000, TransferOptions.DEFAULT);
        target.deregister(Duration.ofMillis(200));
        assertThat(running.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(running.code()).contains(ErrorCode.REMOTE_ACCESS);
        Transfer later = write(0, 1, TransferOptions.DEFAULT);
        assertThat(later.state()).as("without touching the wire").isEqualTo(TransferState.FAILED);
        assertThat(later.code()).contains(ErrorCode.REMOTE_ACCESS);
        target.close();
        assertThat(target.isRegistered()).isFalse();
    }

    @Test
    void closeEndsWhatIsInFlight() throws InterruptedException {
        warmUp();
        faults.plan(STALL);
        Transfer transfer = write(0, 50_000, TransferOptions.DEFAULT);
        engines.a.close(Duration.ofMillis(10));
        assertThat(transfer.state()).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.CLOSED);
        assertThat(write(0, 1, TransferOptions.DEFAULT).code()).contains(ErrorCode.CLOSED);
    }
}
