package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.RankDirectory.Coordinates;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Quiet;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Weft ranks against ranks of the original: its defects have no consequence here, and it is told nothing that it does not know. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OldPeersTest {
    private static final int[] PAGES = {4, 5};
    private static final int[] SOURCE = {1, 2};

    private static Cluster onlyPrefill(String... options) {
        return new Cluster(TestModel.SMALL, List.of(ParallelLayout.SINGLE), List.of(ParallelLayout.SINGLE), options);
    }

    /** A decode rank whose only prefill ranks are played by the test. */
    private static Cluster onlyDecode(TestModel model, OldPeer old, int prefillTp, String... options) {
        Cluster c = new Cluster(model, List.of(), List.of(ParallelLayout.SINGLE), options);
        c.directory.topology = new RankDirectory.Topology(prefillTp, 1, 1, 1, null, null, true, false);
        c.directory.old = true;
        for (int tp = 0; tp < prefillTp; tp++) {
            c.directory.put(new Coordinates(0, 0, tp, 0), old.endpoint.address());
        }
        return c;
    }

    @Test
    void anOldDecodeRankGetsItsBytesAndTheOriginalsFrames() throws Exception {
        try (Cluster c = onlyPrefill();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            old.send(prefill, old.metadata(c.d(), 101, PAGES, 2, 0));
            KvSender sender = c.p().prefill().sender(101);
            sender.init(2, 1);
            sender.send(SOURCE);
            for (int buffer = 0; buffer < 3; buffer++) {
                AuxData aux = (AuxData) old.next();
                assertThat(aux.buffer()).isEqualTo(buffer);
                assertThat(aux.row()).isEqualTo(2);
                assertThat(aux.data()).isEqualTo(c.d().auxRow(buffer, 1));
                assertThat(aux.extras()).isEqualTo(Extras.NONE);
            }
            assertThat(old.next()).isEqualTo(OldPeer.success(101, 0));
            Cluster.await(sender, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, PAGES, 0, -1)).isEmpty();
        }
    }

    @Test
    void anOldDummyIsNeverNotifiedAlsoWithAPrefix() throws Exception {
        try (Cluster c = onlyPrefill();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            old.send(prefill, old.metadata(c.d(), 101, new int[0], -1, 8));
            KvSender sender = c.p().prefill().sender(101);
            sender.init(2, 1);
            sender.send(SOURCE);
            Cluster.await(sender, KvPoll.SUCCESS);
            assertThat(old.heardNothing(Duration.ofMillis(300))).isTrue();
        }
    }

    @Test
    void anOldAbortFailsTheRoomAndGetsNoAnswer() throws Exception {
        try (Cluster c = onlyPrefill();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            old.send(prefill, old.metadata(c.d(), 101, PAGES, 2, 0));
            KvSender sender = c.p().prefill().sender(101);
            Cluster.await(sender, KvPoll.WAITING_FOR_INPUT);
            NetworkAddress self = old.endpoint.address();
            old.send(prefill, new RoomAbort(101, self.host(), self.port(), Extras.NONE));
            Cluster.await(sender, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(sender.failure())).hasMessageContaining("Aborted by AbortReq.");
            assertThat(old.heardNothing(Duration.ofMillis(300))).isTrue();
        }
    }

    @Test
    void anOldDecodeRankHearsOfAFailureOnlyWhenNothingIsInFlight() throws Exception {
        try (Cluster c = onlyPrefill();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            old.send(prefill, old.metadata(c.d(), 101, PAGES, 2, 0));
            c.p().engine.holdWrites(true);
            KvSender sender = c.p().prefill().sender(101);
            sender.init(2, 1);
            sender.send(SOURCE);
            Cluster.await(sender, KvPoll.TRANSFERRING);
            sender.abort();
            assertThat(old.next(RoomStatus.class)).isEqualTo(OldPeer.failed(101, 0, "Aborted by AbortReq."));
            c.p().engine.holdWrites(false);
            assertThat(sender.lease().state()).isEqualTo(LeaseState.ACKED);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
        }
    }

    @Test
    void aStrangersMetadataIsAnsweredAndChangesNothing() throws Exception {
        try (Cluster c = onlyPrefill();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            KvSender sender = c.p().prefill().sender(101);
            old.send(prefill, old.metadata(c.d(), 101, PAGES, 2, 0));
            assertThat(old.next(RoomStatus.class).reason()).contains("Peer info missing for engine");
            assertThat(sender.poll()).isEqualTo(KvPoll.BOOTSTRAPPING);
            assertThat(c.p().prefill().stats().rejected()).isPositive();
        }
    }

    @Test
    void anOldDummyRanksSuccessDoesNotCompleteAnMlaRoom() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL.asMla(), old, 2)) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 8);
            old.next(PeerRegistration.class);
            TransferMetadata real = old.next(TransferMetadata.class);
            TransferMetadata dummy = old.next(TransferMetadata.class);
            assertThat(real.isDummy()).isFalse();
            assertThat(real.prefixTokens()).isEqualTo(8);
            assertThat(dummy.isDummy()).isTrue();
            assertThat(dummy.prefixTokens())
                    .as("which an older dummy would misread")
                    .isZero();
            NetworkAddress decode = c.d().decode().address();
            old.send(decode, OldPeer.success(101, 1));
            old.send(decode, OldPeer.failed(101, 1, "a dummy's trouble"));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 2);
            assertThat(receiver.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
            old.send(decode, OldPeer.success(101, 0));
            Cluster.await(receiver, KvPoll.SUCCESS);
        }
    }

    @Test
    void repeatedSuccessOfOneRankIsCountedOnce() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 2)) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            old.next(TransferMetadata.class);
            NetworkAddress decode = c.d().decode().address();
            old.send(decode, OldPeer.success(101, 0));
            old.send(decode, OldPeer.success(101, 0));
            old.send(decode, OldPeer.success(101, 7));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 1);
            assertThat(receiver.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
            old.send(decode, OldPeer.success(101, 1));
            Cluster.await(receiver, KvPoll.SUCCESS);
        }
    }

    @Test
    void pagesOfARoomThatAnOldRankDoesNotEndAreQuarantinedThenFenced() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 1, "quarantine", "1s")) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            old.next(TransferMetadata.class);
            receiver.abort();
            assertThat(old.next(RoomAbort.class).room()).isEqualTo(101);
            assertThat(receiver.lease().state()).isEqualTo(LeaseState.QUARANTINED);
            assertThat(c.d().decode().stats().leasesByState()).containsEntry(LeaseState.QUARANTINED, 1);
            receiver.clear();
            assertThatThrownBy(() -> c.d().decode().receiver(TestRank.REGISTRY, 101))
                    .isInstanceOfSatisfying(
                            WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
            KvReceiver other = c.d().decode().receiver(TestRank.REGISTRY, 102);
            assertThatThrownBy(() -> other.sendMetadata(new int[] {5}, 3, null, 0))
                    .hasMessageContaining("page 5 is still leased");
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .until(() -> receiver.lease().state() == LeaseState.FENCED);
            other.sendMetadata(new int[] {5}, 3, null, 0);
        }
    }

    @Test
    void aWeftRankThatDoesNotConfirmItsDrainIsFenced() throws Exception {
        try (OldPeer silent = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, silent, 1, "drain.timeout", "500ms")) {
            c.directory.old = false;
            c.directory.putWeft(new Coordinates(0, 0, 0, 0), silent.endpoint.address(), 77, "io-prefill-x");
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            TransferMetadata metadata = silent.next(TransferMetadata.class);
            assertThat(metadata.extras().target()).isEqualTo(77);
            receiver.abort();
            assertThat(silent.next(RoomAbort.class).extras().generation())
                    .isEqualTo(metadata.extras().generation());
            assertThat(receiver.lease().state()).isEqualTo(LeaseState.DRAINING);
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .until(() -> receiver.lease().state() == LeaseState.FENCED);
        }
    }

    @Test
    void aRankThatCannotVouchForItsWritesIsFencedAtOnce() throws Exception {
        try (OldPeer prefill = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, prefill, 1)) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            TransferMetadata metadata = prefill.next(TransferMetadata.class);
            Extras said = Extras.from(77, "io-prefill-x")
                    .withRoom(metadata.extras().generation(), metadata.extras().epoch())
                    .withQuiet(Quiet.UNCONFIRMED, ErrorCode.PEER_LOST.number());
            prefill.send(c.d().decode().address(), new RoomStatus(101, 0, 0, "lost", said));
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .until(() -> receiver.lease().state() == LeaseState.FENCED);
        }
    }

    @Test
    void aTerminalStatusEndsTheQuarantine() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 1)) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            old.next(TransferMetadata.class);
            receiver.abort();
            receiver.clear();
            old.send(c.d().decode().address(), OldPeer.failed(101, 0, "late"));
            Awaitility.await().until(() -> receiver.lease().state() == LeaseState.ACKED);
            assertThat(c.d().decode().stats().tables()).containsEntry("drainingRooms", 0);
        }
    }

    @Test
    void aMessageForAnEarlierUseOfTheRoomChangesNothing() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 1)) {
            NetworkAddress decode = c.d().decode().address();
            KvReceiver receiver = c.d().decode().receiver(TestRank.REGISTRY, 101);
            receiver.init(0);
            Cluster.await(receiver, KvPoll.WAITING_FOR_INPUT);
            old.send(decode, OldPeer.success(101, 0));
            old.send(decode, new RoomStatus(101, 4, 0, "", Extras.from(5, "k").withRoom(1234, 0)));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 2);
            receiver.sendMetadata(PAGES, 2, null, 0);
            old.send(decode, new RoomStatus(101, 4, 0, "", Extras.from(5, "k").withRoom(1234, 0)));
            old.send(decode, new RoomStatus(999, 4, 0, "", Extras.NONE));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 4);
            assertThat(receiver.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
        }
    }

    @Test
    void auxDataOutsideItsRoomWritesNothing() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 1)) {
            NetworkAddress decode = c.d().decode().address();
            byte[] row = new byte[64];
            Arrays.fill(row, (byte) 9);
            old.send(decode, new AuxData(101, 0, 2, row, Extras.NONE));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 1);
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            old.next(TransferMetadata.class);
            old.send(decode, new AuxData(102, 0, 2, row, Extras.NONE));
            old.send(decode, new AuxData(101, 0, 3, row, Extras.NONE));
            old.send(decode, new AuxData(101, 0, 1_000_000, row, Extras.NONE));
            Awaitility.await().until(() -> c.d().decode().stats().rejected() == 4);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
            assertThat(receiver.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
            old.send(decode, new AuxData(101, 7, 2, row, Extras.NONE));
            Cluster.await(receiver, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(receiver.failure()).code()).isEqualTo(ErrorCode.INCOMPATIBLE);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
        }
    }

    @Test
    void aLostRegistryFailsItsRoomsAndOnlyThose() throws Exception {
        try (OldPeer old = new OldPeer(Receiver.PREFILL);
                Cluster c = onlyDecode(TestModel.SMALL, old, 1, "heartbeat.interval", "50ms")) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            old.next(TransferMetadata.class);
            KvReceiver other = c.d().decode().receiver("registry:10", 102);
            c.directory.dead = true;
            Cluster.await(receiver, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(receiver.failure()))
                    .hasMessageContainingAll("Losing connection with prefill instance", TestRank.REGISTRY);
            assertThat(other.poll()).isEqualTo(KvPoll.BOOTSTRAPPING);
            c.directory.dead = false;
            c.receive(c.d(), 103, new int[] {7}, 3, 0);
            assertThat(old.next(PeerRegistration.class).tpSize()).isEqualTo(1);
        }
    }

    @Test
    void aPrefillRankThatDiesFailsItsRoomsAndItsSuccessorIsFound() throws Exception {
        OldPeer first = new OldPeer(Receiver.PREFILL);
        try (Cluster c = onlyDecode(TestModel.SMALL, first, 1, "control.grace", "500ms", "quarantine", "100ms");
                OldPeer second = new OldPeer(Receiver.PREFILL)) {
            KvReceiver receiver = c.receive(c.d(), 101, PAGES, 2, 0);
            first.next(TransferMetadata.class);
            first.close();
            c.directory.put(new Coordinates(0, 0, 0, 0), second.endpoint.address());
            Cluster.await(receiver, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(receiver.failure()).code()).isEqualTo(ErrorCode.PEER_LOST);
            Awaitility.await().until(() -> receiver.lease().state().isReleased());
            c.receive(c.d(), 102, PAGES, 2, 0);
            second.next(PeerRegistration.class);
            second.next(TransferMetadata.class);
        }
    }
}
