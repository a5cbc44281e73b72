package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.kv.RankDirectory.Coordinates;
import io.weft.kv.RankDirectory.RankAddress;
import io.weft.kv.wire.NetworkAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A prefill rank dies, the registry names it on for a while, and then a successor elsewhere: rule KV-11. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReplacedRankTest {
    private static final int[] DESTINATION = {4, 5};
    private static final Coordinates ONLY = new Coordinates(0, 0, 0, 0);

    /** The registry names an address where nobody listens; gives the rank that it named before, which plays the successor. */
    private static RankAddress die(Cluster c) {
        RankAddress successor = c.directory.rank(TestRank.REGISTRY, ONLY);
        c.directory.put(ONLY, new NetworkAddress("127.0.0.1", 9));
        return successor;
    }

    /** A registry names a dead rank until its successor has told of itself; a room that is opened meanwhile waits for that. */
    @Test
    void aReplacedRankIsFoundWhileRoomsOfItsPredecessorStillWait() {
        try (Cluster c = Cluster.oneToOne("control.grace", "120s")) {
            RankAddress successor = die(c);
            KvReceiver early = c.receive(c.d(), 1, DESTINATION, 2, 0);
            Cluster.await(early, KvPoll.WAITING_FOR_INPUT);
            AtomicLong room = new AtomicLong(1);
            Awaitility.await().atMost(Cluster.PATIENCE).until(() -> asksTheRegistry(c, room.incrementAndGet()));
            c.directory.putWeft(ONLY, successor.address(), successor.epoch(), successor.engineKey());
            Awaitility.await()
                    .atMost(Cluster.PATIENCE)
                    .until(() -> c.p().prefill().stats().tables().get("pendingRooms") > 0);
            assertThat(early.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
        }
    }

    /** Its rooms have failed and nobody dials it any more, but the registry still names it: a process may need longer to start than that took. */
    @Test
    void aNewRoomWaitsForTheSuccessorOfARankThatWasGivenUp() {
        try (Cluster c = Cluster.oneToOne("control.grace", "200ms")) {
            RankAddress successor = die(c);
            KvReceiver early = c.receive(c.d(), 1, DESTINATION, 2, 0);
            Cluster.await(early, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(early.failure())).hasMessageContaining("127.0.0.1:9 cannot be reached");
            int before = c.directory.lookUps.get();
            KvReceiver late = c.receive(c.d(), 2, new int[0], -1, 0);
            Awaitility.await().atMost(Cluster.PATIENCE).until(() -> c.directory.lookUps.get() >= before + 2);
            assertThat(late.poll()).isEqualTo(KvPoll.BOOTSTRAPPING);
            c.directory.putWeft(ONLY, successor.address(), successor.epoch(), successor.engineKey());
            Cluster.await(late, KvPoll.WAITING_FOR_INPUT);
            assertThat(late.failure()).isNull();
        }
    }

    /** Whether opening a room led to a look-up, since what was known is not trusted. */
    private static boolean asksTheRegistry(Cluster c, long room) {
        int before = c.directory.lookUps.get();
        KvReceiver late = c.receive(c.d(), room, new int[0], -1, 0);
        Awaitility.await()
                .atMost(Cluster.PATIENCE)
                .until(() -> c.directory.lookUps.get() > before || late.poll() == KvPoll.WAITING_FOR_INPUT);
        return c.directory.lookUps.get() > before;
    }
}
