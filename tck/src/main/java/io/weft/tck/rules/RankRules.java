package io.weft.tck.rules;

import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.layout.ParallelLayout;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.tck.kv.KvCluster;
import io.weft.tck.kv.KvModel;
import io.weft.tck.kv.KvRank;
import io.weft.tck.kv.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** KV: what ranks keep, and how they come back. */
@RuleSuite
class RankRules {
    @RuleTest(value = "KV-10", topologies = Topology.PAIR)
    void kv10_nothingIsLeftAfterClear(Rig rig) {
        int bound = 8;
        String patience = rig.clocks().scaled(Duration.ofSeconds(3)).toMillis() + "ms";
        KvCluster kv = KvCluster.pair(rig, "weft.kv.pending.rooms", "" + bound, "weft.kv.bootstrap.timeout", patience);
        for (int round = 0; round < 20; round++) {
            boolean aborts = round % 2 == 1;
            Room room = aborts ? Room.of(round) : Room.empty(round);
            KvReceiver receiver = kv.receive(kv.d(), room);
            KvSender sender = kv.serve(kv.p(), room);
            if (aborts) {
                kv.await(sender, KvPoll.WAITING_FOR_INPUT);
                receiver.abort();
            } else {
                sender.send(KvChunk.of(room.source(), true));
            }
            kv.await(sender, aborts ? KvPoll.FAILED : KvPoll.SUCCESS);
            kv.await(receiver, aborts ? KvPoll.FAILED : KvPoll.SUCCESS);
            kv.awaitReleased(receiver);
            receiver.clear();
            sender.clear();
        }
        nothingIsLeft(rig, kv);
        List<KvReceiver> unserved = LongStream.range(100, 100 + 3L * bound)
                .mapToObj(id -> kv.receive(kv.d(), Room.empty(id)))
                .toList();
        rig.clocks().eventually("metadata of rooms without a sender beyond weft.kv.pending.rooms is refused", () -> {
            int pending = table(kv.p(), "pendingRooms");
            Expect.that(pending <= bound, pending + " rooms are pending, the bound is " + bound);
            return unserved.stream().anyMatch(r -> String.valueOf(r.failure()).contains("weft.kv.pending.rooms"));
        });
        unserved.forEach(KvReceiver::clear);
        nothingIsLeft(rig, kv);
    }

    private static void nothingIsLeft(Rig rig, KvCluster kv) {
        List<String> atDecode = List.of("rooms", "drainingRooms", "leasedPages");
        List<String> atPrefill = List.of("rooms", "pendingRooms", "drainingRooms", "unheardRooms");
        rig.clocks()
                .eventually(
                        () -> "all tables of rooms are empty: decode has "
                                + kv.d().stats().tables() + ", prefill "
                                + kv.p().stats().tables(),
                        () -> atDecode.stream().allMatch(name -> table(kv.d(), name) == 0)
                                && atPrefill.stream().allMatch(name -> table(kv.p(), name) == 0));
    }

    private static int table(KvRank rank, String name) {
        Map<String, Integer> tables = rank.stats().tables();
        return tables.getOrDefault(name, -1);
    }

    @RuleTest(value = "KV-11", topologies = Topology.PAIR)
    void kv11_restartedRanksAndRegistriesAreUsable(Rig rig) {
        KvCluster kv = KvCluster.pair(
                rig,
                "weft.kv.control.grace",
                "500ms",
                "weft.kv.heartbeat.interval",
                "200ms",
                "weft.kv.drain.timeout",
                "500ms",
                "weft.kv.fence.timeout",
                "500ms");
        long id = succeeds(rig, kv, "at first", 0);
        kv.p().close();
        kv.addPrefill(KvModel.SMALL, ParallelLayout.SINGLE);
        id = succeeds(rig, kv, "after the prefill rank was started again", id);
        kv.d().close();
        kv.addDecode(KvModel.SMALL, ParallelLayout.SINGLE);
        id = succeeds(rig, kv, "after the decode rank was started again", id);
        kv.restartRegistry();
        succeeds(rig, kv, "after the registry was started again", id);
    }

    /** Rooms that meet what is gone may fail; what is not allowed is that all do. */
    private static long succeeds(Rig rig, KvCluster kv, String when, long firstId) {
        long id = firstId;
        long end = System.nanoTime() + rig.clocks().mustHappen().toNanos();
        List<String> failures = new ArrayList<>();
        do {
            Room room = Room.of(id++);
            KvReceiver receiver = kv.receive(kv.d(), room);
            KvSender sender = kv.send(kv.p(), room);
            rig.clocks()
                    .eventually(
                            () -> "a room ends; no room succeeds " + when + ", this one is " + receiver.poll()
                                    + " at decode and " + sender.poll() + " at prefill",
                            () -> receiver.poll() == KvPoll.SUCCESS || receiver.poll() == KvPoll.FAILED);
            boolean success = receiver.poll() == KvPoll.SUCCESS;
            if (success) {
                kv.d().expectMemory(when, room);
            } else {
                failures.add(String.valueOf(receiver.failure()));
                sender.abort();
                kv.awaitReleased(receiver);
            }
            receiver.clear();
            sender.clear();
            if (success) {
                return id;
            }
        } while (System.nanoTime() - end < 0);
        throw new AssertionError("no room succeeds " + when + "; the last one failed with " + failures.getLast());
    }
}
