package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Nothing that peers send or leave behind grows without bound, reaches what it must not reach, or harms other rooms. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BoundsTest {
    private static final long SEED = Long.getLong("weft.test.seed", 11);
    private static final int[] SOURCE = {1, 2, 3, 9};
    private static final int[] DESTINATION = {20, 21, 4, 5};
    private static final int[] NONE = {};

    @Test
    void announcedRoomsWithoutASenderAreBoundedAndExpire() throws Exception {
        try (Cluster c = Cluster.oneToOne("pending.rooms", "8", "bootstrap.timeout", "3s");
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            for (int room = 0; room < 50; room++) {
                old.send(prefill, old.metadata(c.d(), room, DESTINATION, 2, 0));
            }
            for (int room = 8; room < 50; room++) {
                RoomStatus refused = old.next(RoomStatus.class);
                assertThat(refused.room()).isEqualTo(room);
                assertThat(refused.reason()).contains("weft.kv.pending.rooms");
            }
            assertThat(tables(c)).containsEntry("pendingRooms", 8);
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .untilAsserted(() -> assertThat(tables(c)).containsEntry("rooms", 0));
        }
    }

    @Test
    void thousandsOfRoomsThatBothSidesGiveUpAtOnceLeaveNothing() {
        try (Cluster c = Cluster.oneToOne()) {
            List<KvReceiver> receivers = new ArrayList<>();
            List<KvSender> senders = new ArrayList<>();
            for (int room = 0; room < 3_000; room++) {
                receivers.add(c.receive(c.d(), room, NONE, -1, 4));
                senders.add(c.p().prefill().sender(room));
            }
            senders.forEach(s -> Cluster.await(s, KvPoll.WAITING_FOR_INPUT));
            senders.forEach(KvSender::clear);
            receivers.forEach(KvReceiver::clear);
            Awaitility.await().atMost(Cluster.PATIENCE).untilAsserted(() -> {
                assertThat(tables(c))
                        .containsEntry("rooms", 0)
                        .containsEntry("pendingRooms", 0)
                        .containsEntry("drainingRooms", 0);
                assertThat(c.d().decode().stats().tables())
                        .containsEntry("rooms", 0)
                        .containsEntry("drainingRooms", 0);
            });
        }
    }

    @Test
    void decodeRanksAreBoundedAndAForgottenOneIsServedAgain() {
        try (Cluster c = Cluster.oneToOne("peers.limit", "1")) {
            c.addDecode(TestModel.SMALL, ParallelLayout.SINGLE);
            TestRank second = c.decode.get(1);
            succeeds(c, c.d(), 1);
            succeeds(c, second, 2);
            assertThat(tables(c)).containsEntry("peers", 1);
            KvReceiver forgotten = c.receive(c.d(), 3, DESTINATION, 2, 0);
            Cluster.await(forgotten, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(forgotten.failure()).code()).isEqualTo(ErrorCode.NOT_REGISTERED);
            forgotten.clear();
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .until(() -> forgotten.lease().state().isReleased());
            succeeds(c, c.d(), 4);
        }
    }

    @Test
    void garbageIsCountedAndHarmsNoRoom() {
        SplittableRandom random = new SplittableRandom(SEED);
        try (Cluster c = Cluster.oneToOne();
                ZContext context = new ZContext()) {
            for (NetworkAddress rank :
                    List.of(c.p().prefill().address(), c.d().decode().address())) {
                ZMQ.Socket socket = context.createSocket(SocketType.PUSH);
                socket.setHandshakeIvl(300);
                socket.connect(rank.tcp());
                for (int i = 0; i < 200; i++) {
                    send(socket, random);
                }
            }
            Awaitility.await().atMost(Cluster.PATIENCE).untilAsserted(() -> {
                assertThat(c.p().prefill().stats().rejected())
                        .as("seed %d", SEED)
                        .isEqualTo(200);
                assertThat(c.d().decode().stats().rejected())
                        .as("seed %d", SEED)
                        .isEqualTo(200);
            });
            assertThat(c.d().differences(NONE, NONE, 0, -1)).isEmpty();
            succeeds(c, c.d(), 1);
        }
    }

    @Test
    void pagesOutsideTheMemoryOfTheirRankFailThatRoomOnly() throws Exception {
        try (Cluster c = Cluster.oneToOne();
                OldPeer old = new OldPeer(Receiver.DECODE)) {
            NetworkAddress prefill = c.p().prefill().address();
            old.register(prefill, c.d());
            for (int page : new int[] {24, 1 << 20, Integer.MAX_VALUE}) {
                old.send(prefill, old.metadata(c.d(), page, new int[] {4, page}, 2, 0));
                KvSender sender = c.p().prefill().sender(page);
                sender.init(2, 1);
                sender.send(new int[] {1, 2});
                Cluster.await(sender, KvPoll.FAILED);
                assertThat(old.next(RoomStatus.class).status()).isEqualTo(RoomStatus.FAILED);
                sender.clear();
            }
            assertThat(c.d().differences(NONE, NONE, 0, -1)).isEmpty();
            succeeds(c, c.d(), 1);
        }
    }

    @Test
    void pagesAreReadOnlyWhenTheirEventIsReady() {
        try (Cluster c = Cluster.oneToOne()) {
            List<MemorySegment> content = c.p().kv.stream()
                    .map(s -> MemorySegment.ofArray(s.toArray(ValueLayout.JAVA_BYTE)))
                    .toList();
            c.p().kv.forEach(s -> s.fill((byte) 0));
            AtomicBoolean ready = new AtomicBoolean();
            KvReceiver receiver = c.receive(c.d(), 1, DESTINATION, 2, 0);
            KvSender sender = c.p().prefill().sender(1);
            sender.init(SOURCE.length, 1);
            sender.send(new KvChunk(SOURCE, true, null, ready::get));
            Cluster.await(sender, KvPoll.TRANSFERRING);
            for (int i = 0; i < content.size(); i++) {
                c.p().kv.get(i).copyFrom(content.get(i));
            }
            assertThat(receiver.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
            ready.set(true);
            Cluster.await(receiver, KvPoll.SUCCESS);
            assertThat(c.d().differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        }
    }

    private static Map<String, Integer> tables(Cluster c) {
        return c.p().prefill().stats().tables();
    }

    private static void succeeds(Cluster c, TestRank decode, long room) {
        KvReceiver receiver = c.receive(decode, room, DESTINATION, 2, 0);
        KvSender sender = c.p().prefill().sender(room);
        sender.init(SOURCE.length, 1);
        sender.send(SOURCE);
        Cluster.await(receiver, KvPoll.SUCCESS);
        Cluster.await(sender, KvPoll.SUCCESS);
        assertThat(decode.differences(SOURCE, DESTINATION, 1, 2)).isEmpty();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> receiver.lease().state().isReleased());
        receiver.clear();
        sender.clear();
    }

    /** A message of random frames, some of which begin as real ones do. */
    private static void send(ZMQ.Socket socket, SplittableRandom random) {
        int frames = 1 + random.nextInt(16);
        for (int i = 0; i < frames; i++) {
            byte[] frame = new byte[random.nextInt(200)];
            random.nextBytes(frame);
            if (i == 0 && random.nextBoolean()) {
                frame = "MoriMsgGuard".getBytes(StandardCharsets.US_ASCII);
            }
            socket.send(frame, i < frames - 1 ? ZMQ.SNDMORE : 0);
        }
    }
}
