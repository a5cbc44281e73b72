package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Life cycles of rooms between Weft ranks: rules KV-1 to KV-4 and KV-8 to KV-12. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RoomsTest {
    private static final int[] SOURCE = {1, 2};
    private static final int[] DESTINATION = {4, 5};

    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void everyRoomIdIsLegal(long room) {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.receive(c.d(), room, DESTINATION, 2, 0);
            KvSender sender = send(c, room, SOURCE, 1);
            Cluster.await(receiver, KvPoll.SUCCESS);
            Cluster.await(sender, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void auxRowsAreThereAtSuccessOverEitherPath(String fabric) {
        try (Cluster c = Cluster.oneToOne("aux.fabric", fabric)) {
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            send(c, 7, SOURCE, 1);
            Cluster.await(receiver, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        }
    }

    @Test
    void withAPrefixHitOnlyMissingPagesTravel() {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 8);
            KvSender sender = c.p().prefill().sender(7);
            Cluster.await(sender, KvPoll.WAITING_FOR_INPUT);
            assertThat(sender.prefixTokens()).isEqualTo(8);
            sender.init(2, 1);
            sender.send(SOURCE);
            Cluster.await(receiver, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        }
    }

    @Test
    void aFullPrefixHitStillBringsTheAuxRow() {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.receive(c.d(), 7, new int[0], 2, 32);
            send(c, 7, new int[0], 1);
            Cluster.await(receiver, KvPoll.SUCCESS);
            assertThat(c.d().differences(new int[0], new int[0], 1, 2)).isEmpty();
        }
    }

    @Test
    void anAbortOnEitherSideIsKnownToTheOtherWithinASecond() {
        try (Cluster c = Cluster.oneToOne()) {
            for (boolean atDecode : List.of(true, false)) {
                KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
                KvSender sender = c.p().prefill().sender(7);
                Cluster.await(sender, KvPoll.WAITING_FOR_INPUT);
                long before = System.nanoTime();
                if (atDecode) {
                    receiver.abort();
                } else {
                    sender.abort();
                }
                Cluster.await(receiver, KvPoll.FAILED);
                Cluster.await(sender, KvPoll.FAILED);
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
                assertThat(Objects.requireNonNull(sender.failure())).hasMessageContaining("Aborted by AbortReq.");
                assertThat(Objects.requireNonNull(receiver.failure())).hasMessageContaining("Aborted by AbortReq.");
                released(receiver, LeaseState.ACKED);
                sender.clear();
                receiver.clear();
            }
            assertEmpty(c);
        }
    }

    @Test
    void pagesOfAnAbortedRoomAreHeldUntilItsWritesAreOver() {
        try (Cluster c = Cluster.oneToOne()) {
            c.p().engine.holdWrites(true);
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            KvSender sender = send(c, 7, SOURCE, 1);
            Cluster.await(sender, KvPoll.TRANSFERRING);
            receiver.abort();
            assertThat(receiver.poll()).isEqualTo(KvPoll.FAILED);
            if (!receiver.lease().state().isReleased()) {
                KvReceiver other = c.d().decode().receiver(TestRank.REGISTRY, 8);
                assertThatThrownBy(() -> other.sendMetadata(new int[] {9, 5}, 3, null, 0))
                        .isInstanceOfSatisfying(
                                WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
                        .hasMessageContaining("page 5");
            }
            released(receiver, LeaseState.ACKED);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
            c.p().engine.holdWrites(false);
            KvReceiver again = c.receive(c.d(), 9, DESTINATION, 2, 0);
            send(c, 9, SOURCE, 1);
            Cluster.await(again, KvPoll.SUCCESS);
        }
    }

    @Test
    void aFailedWriteEndsTheRoomOnBothSidesWithItsText() {
        try (Cluster c = Cluster.oneToOne()) {
            c.p().engine.failNextWrite(ErrorCode.FABRIC, "injected transport error");
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            KvSender sender = send(c, 7, SOURCE, 1);
            Cluster.await(receiver, KvPoll.FAILED);
            Cluster.await(sender, KvPoll.FAILED);
            KvTransferException failure = Objects.requireNonNull(receiver.failure());
            assertThat(failure).hasMessage("KV transfer failed: injected transport error");
            assertThat(failure.code()).isEqualTo(ErrorCode.FABRIC);
            assertThat(failure.isFromAnotherRank()).isTrue();
            released(receiver, LeaseState.ACKED);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
        }
    }

    @Test
    void aFullEngineQueueOnlyDelays() {
        try (Cluster c = Cluster.oneToOne()) {
            c.p().engine.failNextWrite(ErrorCode.RESOURCE_EXHAUSTED, "queue full");
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            send(c, 7, SOURCE, 1);
            Cluster.await(receiver, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        }
    }

    @Test
    void lostSurplusAndOvershootingChunksFail() {
        try (Cluster c = Cluster.oneToOne()) {
            assertThat(wrong(c, 1, s -> {
                        s.init(2, 1);
                        s.send(KvChunk.of(new int[] {1, 2, 3}, true));
                    }))
                    .contains("more than the 2");
            assertThat(wrong(c, 2, s -> {
                        s.init(2, 1);
                        s.send(KvChunk.of(new int[] {1}, true));
                    }))
                    .contains("chunks were lost");
            assertThat(wrong(c, 3, s -> s.send(KvChunk.of(new int[] {1}, true))))
                    .contains("decode named 2 pages and prefill sent 1");
            assertThat(wrong(c, 4, s -> s.send(KvChunk.of(new int[] {1, 2, 3}, false))))
                    .contains("beyond the 2 destination pages");
            KvReceiver receiver = c.receive(c.d(), 5, DESTINATION, 2, 0);
            c.p().engine.holdWrites(true);
            KvSender sender = send(c, 5, SOURCE, 1);
            sender.send(KvChunk.of(new int[] {7}, true));
            Cluster.await(sender, KvPoll.FAILED);
            Cluster.await(receiver, KvPoll.FAILED);
        }
    }

    @Test
    void aChunkThatNeverComesEndsByDeadline() {
        try (Cluster c = Cluster.oneToOne("input.timeout", "300ms")) {
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            KvSender sender = c.p().prefill().sender(7);
            sender.init(2, 1);
            sender.send(new int[] {1});
            Cluster.await(receiver, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(receiver.failure()))
                    .hasMessageContainingAll("in KVPoll.Transferring", "after 1 of 2 pages");
            assertThat(sender.poll()).isEqualTo(KvPoll.FAILED);
        }
    }

    @Test
    void everyStateHasADeadline() {
        try (Cluster c =
                Cluster.oneToOne("bootstrap.timeout", "300ms", "waiting.timeout", "300ms", "input.timeout", "10s")) {
            KvSender lonely = c.p().prefill().sender(1);
            Cluster.await(lonely, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(lonely.failure()))
                    .hasMessageContainingAll("Request 1 timed out", "in KVPoll.Bootstrapping");
            KvReceiver waiting = c.receive(c.d(), 2, DESTINATION, 2, 0);
            KvSender silent = c.p().prefill().sender(2);
            Cluster.await(waiting, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(waiting.failure())).hasMessageContaining("in KVPoll.WaitingForInput");
            Cluster.await(silent, KvPoll.FAILED);
            KvReceiver idle = c.d().decode().receiver(TestRank.REGISTRY, 3);
            Cluster.await(idle, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(idle.failure())).hasMessageContaining("in KVPoll.Bootstrapping");
        }
    }

    @Test
    void aRoomWithTwoOwnersIsRefused() {
        try (Cluster c = Cluster.oneToOne()) {
            c.p().prefill().sender(7);
            c.d().decode().receiver(TestRank.REGISTRY, 7);
            assertThatThrownBy(() -> c.p().prefill().sender(7)).hasMessageContaining("has a sender already");
            assertThatThrownBy(() -> c.d().decode().receiver(TestRank.REGISTRY, 7))
                    .hasMessageContaining("has a receiver already");
        }
    }

    @Test
    void metadataThatComesAfterItsSenderFailedIsAnswered() {
        try (Cluster c = Cluster.oneToOne()) {
            KvSender sender = c.p().prefill().sender(7);
            sender.abort();
            sender.clear();
            KvReceiver late = c.receive(c.d(), 7, DESTINATION, 2, 0);
            Cluster.await(late, KvPoll.FAILED);
            // The only writer said that it failed: whoever sees the status may use the pages at once.
            assertThat(late.lease().state()).isEqualTo(LeaseState.ACKED);
            assertThat(Objects.requireNonNull(late.failure())).hasMessageContaining("Aborted by AbortReq.");
            late.clear();
            assertThat(c.p().prefill().stats().tables())
                    .containsEntry("rooms", 0)
                    .containsEntry("unheardRooms", 0);

            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            send(c, 7, SOURCE, 1);
            Cluster.await(receiver, KvPoll.SUCCESS);
        }
    }

    @Test
    void aRoomThatEndedBeforeItsMetadataHoldsNoPages() {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.d().decode().receiver(TestRank.REGISTRY, 7);
            receiver.abort();
            receiver.sendMetadata(DESTINATION, 2, null, 0);
            assertThat(c.d().decode().stats().tables()).containsEntry("leasedPages", 0);
            assertThat(receiver.lease().state()).isEqualTo(LeaseState.ACKED);
        }
    }

    @Test
    void anAbortThatComesBeforeItsSenderIsRemembered() {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.receive(c.d(), 7, DESTINATION, 2, 0);
            Cluster.await(receiver, KvPoll.WAITING_FOR_INPUT);
            receiver.abort();
            released(receiver, LeaseState.ACKED);
            receiver.clear();
            KvSender sender = c.p().prefill().sender(7);
            Cluster.await(sender, KvPoll.FAILED);
            sender.clear();
            assertEmpty(c);
        }
    }

    @Test
    void roomsLeaveNothing() {
        try (Cluster c = Cluster.oneToOne()) {
            int[] none = {};
            List<KvReceiver> receivers = new ArrayList<>();
            List<KvSender> senders = new ArrayList<>();
            int rounds = 20;
            int perRound = 250;
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < perRound; i++) {
                    long room = round * perRound + i;
                    receivers.add(c.receive(c.d(), room, none, -1, 4));
                    KvSender sender = c.p().prefill().sender(room);
                    sender.send(KvChunk.of(none, true));
                    senders.add(sender);
                }
                receivers.forEach(r -> Cluster.await(r, KvPoll.SUCCESS));
                senders.forEach(s -> Cluster.await(s, KvPoll.SUCCESS));
                receivers.forEach(KvReceiver::clear);
                senders.forEach(KvSender::clear);
                receivers.clear();
                senders.clear();
            }
            assertEmpty(c);
            assertThat(c.d().decode().stats().succeeded()).isEqualTo((long) rounds * perRound);
        }
    }

    @Test
    void aStuckRoomDoesNotBlockOthersOfItsShard() {
        try (Cluster c = Cluster.oneToOne("shards", "1")) {
            c.p().engine.holdWrites(true);
            KvReceiver stuck = c.receive(c.d(), 1, DESTINATION, 2, 0);
            KvSender stuckSender = send(c, 1, SOURCE, 1);
            Cluster.await(stuckSender, KvPoll.TRANSFERRING);
            KvReceiver quick = c.receive(c.d(), 2, new int[0], 3, 0);
            send(c, 2, new int[0], 1);
            Cluster.await(quick, KvPoll.SUCCESS);
            assertThat(stuck.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
            c.p().engine.holdWrites(false);
            Cluster.await(stuck, KvPoll.SUCCESS);
        }
    }

    private static KvSender send(Cluster c, long room, int[] pages, int auxRow) {
        KvSender sender = c.p().prefill().sender(room);
        sender.init(pages.length, auxRow);
        sender.send(pages);
        return sender;
    }

    private static String wrong(Cluster c, long room, Consumer<KvSender> calls) {
        KvReceiver receiver = c.receive(c.d(), room, DESTINATION, 2, 0);
        KvSender sender = c.p().prefill().sender(room);
        Cluster.await(sender, KvPoll.WAITING_FOR_INPUT);
        calls.accept(sender);
        Cluster.await(sender, KvPoll.FAILED);
        Cluster.await(receiver, KvPoll.FAILED);
        released(receiver, LeaseState.ACKED);
        sender.clear();
        receiver.clear();
        return String.valueOf(Objects.requireNonNull(sender.failure()).getMessage());
    }

    private static void released(KvReceiver receiver, LeaseState state) {
        Awaitility.await().atMost(Cluster.PATIENCE).until(() -> receiver.lease().state() == state);
    }

    private static void assertEmpty(Cluster c) {
        Awaitility.await().atMost(Cluster.PATIENCE).untilAsserted(() -> {
            assertThat(c.d().decode().stats().tables())
                    .containsEntry("rooms", 0)
                    .containsEntry("drainingRooms", 0)
                    .containsEntry("leasedPages", 0);
            assertThat(c.p().prefill().stats().tables())
                    .containsEntry("rooms", 0)
                    .containsEntry("pendingRooms", 0)
                    .containsEntry("drainingRooms", 0)
                    .containsEntry("unheardRooms", 0);
        });
    }
}
