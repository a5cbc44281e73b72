package io.weft.tck.rules;

import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.tck.kv.KvCluster;
import io.weft.tck.kv.KvModel;
import io.weft.tck.kv.Room;
import io.weft.tck.kv.Stranger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** KV: the life of a room between a prefill and a decode rank. */
@RuleSuite
class RoomRules {
    private static final String AUX_FABRIC = "weft.kv.aux.fabric";
    private static final int TRIES = 5;

    @RuleTest(value = "KV-1", topologies = Topology.PAIR)
    void kv1_successOnlyWhenAllIsInPlace(Rig rig) {
        for (String fabric : List.of("false", "true")) {
            KvModel model = KvModel.SMALL.withWindow();
            KvCluster kv = new KvCluster(rig, AUX_FABRIC, fabric);
            kv.addPrefill(model, ParallelLayout.SINGLE);
            kv.addDecode(model, ParallelLayout.SINGLE);
            Room room = Room.of(7).withWindow();
            KvReceiver receiver = kv.receive(kv.d(), room);
            KvSender sender = kv.serve(kv.p(), room);
            Gate gate = new Gate();
            sender.send(new KvChunk(new int[] {room.source()[0]}, false, null, null));
            sender.send(new KvChunk(new int[] {room.source()[1]}, true, List.<int[]>of(room.source()), gate));
            never(rig, "Success while a page is missing", () -> receiver.poll() == KvPoll.SUCCESS);
            gate.open();
            kv.await(receiver, KvPoll.SUCCESS);
            kv.d().expectMemory("at Success, aux over the fabric: " + fabric, room);
            kv.await(sender, KvPoll.SUCCESS);
        }
    }

    @RuleTest(value = "KV-2", topologies = Topology.PAIR)
    void kv2_aRoomEndsOnceAndOldMessagesChangeNothing(Rig rig) {
        KvCluster kv = KvCluster.pair(rig);
        Room room = Room.of(7);
        KvReceiver receiver = kv.receive(kv.d(), room);
        KvSender sender = kv.serve(kv.p(), room);
        kv.await(sender, KvPoll.WAITING_FOR_INPUT);
        Extras old = Extras.from(5, "an-engine-of-before").withRoom(1234, 0);
        NetworkAddress decode = kv.d().address();
        // Without a key, the abort is taken for one of the rank at that address, which takes part with another
        // generation.
        RoomAbort abort = new RoomAbort(
                room.id(), decode.host(), decode.port(), Extras.from(5, "").withRoom(1234, 0));
        TransferMetadata counted = new TransferMetadata(
                99,
                decode.host(),
                decode.port(),
                "an-engine-of-nobody",
                new int[0],
                -1,
                new int[0][],
                1,
                0,
                Extras.NONE);
        try (Stranger toDecode = new Stranger(kv.d().address());
                Stranger toPrefill = new Stranger(kv.p().address())) {
            toDecode.send(new RoomStatus(room.id(), RoomStatus.SUCCESS, 0, "", old));
            toDecode.send(new RoomStatus(room.id(), RoomStatus.FAILED, 0, "of before", old));
            toPrefill.send(abort);
            toPrefill.send(counted); // an abort that is ignored leaves no trace, what comes after it does
            rig.clocks()
                    .eventually(
                            "the messages of an older generation are counted as rejected",
                            () -> kv.d().stats().rejected() >= 2
                                    && kv.p().stats().rejected() >= 1);
            never(
                    rig,
                    "a change by messages of an older generation",
                    () -> receiver.poll() != KvPoll.WAITING_FOR_INPUT || sender.poll() != KvPoll.WAITING_FOR_INPUT);
            sender.send(room.source());
            kv.await(receiver, KvPoll.SUCCESS);
            kv.await(sender, KvPoll.SUCCESS);
            receiver.abort();
            sender.abort();
            toPrefill.send(abort);
            toDecode.send(new RoomStatus(room.id(), RoomStatus.FAILED, 0, "of before", old));
            never(
                    rig,
                    "a second end of a room that ended",
                    () -> receiver.poll() != KvPoll.SUCCESS || sender.poll() != KvPoll.SUCCESS);
        }
        Expect.equal("rooms that ended well at decode", 1L, kv.d().stats().succeeded());
        Expect.equal("rooms that ended well at prefill", 1L, kv.p().stats().succeeded());
        Expect.equal("rooms that failed at decode", 0L, kv.d().stats().failed());
        Expect.equal("rooms that failed at prefill", 0L, kv.p().stats().failed());
        kv.d().expectMemory("after all", room);
    }

    @RuleTest(value = "KV-3", topologies = Topology.PAIR)
    void kv3_anAbortIsKnownToTheOtherSide(Rig rig) {
        KvCluster kv = KvCluster.pair(rig);
        for (boolean atDecode : List.of(true, false)) {
            Duration best = rig.clocks().mustHappen();
            for (int i = 0; i < TRIES; i++) { // one may meet a pause of the machine
                Room room = Room.of(i);
                KvReceiver receiver = kv.receive(kv.d(), room);
                KvSender sender = kv.serve(kv.p(), room);
                kv.await(sender, KvPoll.WAITING_FOR_INPUT);
                long before = System.nanoTime();
                if (atDecode) {
                    receiver.abort();
                    kv.await(sender, KvPoll.FAILED);
                } else {
                    sender.abort();
                    kv.await(receiver, KvPoll.FAILED);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - before);
                best = took.compareTo(best) < 0 ? took : best;
                kv.await(sender, KvPoll.FAILED);
                kv.await(receiver, KvPoll.FAILED);
                kv.awaitReleased(receiver);
                sender.clear();
                receiver.clear();
            }
            Duration bound = rig.clocks().scaled(Duration.ofSeconds(1));
            Expect.that(
                    best.compareTo(bound) <= 0,
                    "an abort at " + (atDecode ? "decode" : "prefill") + " was known to the other side after " + best
                            + " at best of " + TRIES + ", the bound is " + bound);
        }
    }

    @RuleTest(value = "KV-8", topologies = Topology.PAIR)
    void kv8_wrongChunksFailTheRoom(Rig rig) {
        KvCluster kv = KvCluster.pair(rig);
        fails(rig, kv, 7, "a lost chunk", s -> {
            s.init(2, 1);
            s.send(KvChunk.of(new int[] {1}, true));
        });
        fails(rig, kv, 8, "a surplus page", s -> {
            s.init(2, 1);
            s.send(KvChunk.of(new int[] {1, 2, 3}, true));
        });
        fails(rig, kv, 9, "fewer pages than decode named", s -> s.send(KvChunk.of(new int[] {1}, true)));
        fails(rig, kv, 10, "a chunk beyond the destination", s -> s.send(KvChunk.of(new int[] {1, 2, 3}, false)));
    }

    private static void fails(Rig rig, KvCluster kv, long id, String what, Consumer<KvSender> calls) {
        Room room = Room.of(id);
        KvReceiver receiver = kv.receive(kv.d(), room);
        KvSender sender = kv.rooms(kv.p()).sender(room.id());
        kv.await(sender, KvPoll.WAITING_FOR_INPUT);
        calls.accept(sender);
        rig.clocks()
                .eventually(
                        () -> "both sides failed after " + what + ": the sender is " + sender.poll() + ", the receiver "
                                + receiver.poll(),
                        () -> sender.poll() == KvPoll.FAILED && receiver.poll() == KvPoll.FAILED);
        kv.awaitReleased(receiver);
        sender.clear();
        receiver.clear();
    }

    @RuleTest(value = "KV-9", topologies = Topology.PAIR)
    void kv9_onlyMissingPagesTravel(Rig rig) {
        KvCluster kv = KvCluster.pair(rig);
        Room hit = Room.of(7).withoutRow().withPrefix(8);
        KvReceiver receiver = kv.receive(kv.d(), hit);
        KvSender sender = kv.serve(kv.p(), hit);
        kv.await(sender, KvPoll.WAITING_FOR_INPUT);
        Expect.equal("the prefix tokens that prefill was told", 8, sender.prefixTokens());
        sender.send(hit.source());
        kv.await(receiver, KvPoll.SUCCESS);
        kv.await(sender, KvPoll.SUCCESS);
        Expect.equal("bytes sent of 2 missing pages", 2 * kv.p().pageBytes(), sender.bytes());
        kv.d().expectMemory("beside the missing pages", hit);
        Room full = Room.of(8).withPages(new int[0], new int[0]).withPrefix(32);
        KvReceiver all = kv.receive(kv.d(), full);
        KvSender rowOnly = kv.send(kv.p(), full);
        kv.await(all, KvPoll.SUCCESS);
        kv.await(rowOnly, KvPoll.SUCCESS);
        kv.d().expectMemory("after a hit of the whole prefix", hit, full);
    }

    @RuleTest(value = "KV-12", topologies = Topology.PAIR)
    void kv12_everyRoomIdIsLegal(Rig rig) {
        KvCluster kv = KvCluster.pair(rig);
        long[] ids = {0, 1, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -1};
        Room[] rooms = new Room[ids.length];
        List<KvReceiver> receivers = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            rooms[i] = Room.of(ids[i])
                    .withPages(new int[] {i + 1}, new int[] {i + 10})
                    .withoutRow();
            receivers.add(kv.receive(kv.d(), rooms[i]));
        }
        for (Room room : rooms) {
            kv.send(kv.p(), room);
        }
        receivers.forEach(receiver -> kv.await(receiver, KvPoll.SUCCESS));
        kv.d().expectMemory("after rooms of all ids", rooms);
    }

    private static void never(Rig rig, String what, BooleanSupplier seen) {
        rig.clocks().throughout(() -> Expect.that(!seen.getAsBoolean(), "there was " + what));
    }
}
