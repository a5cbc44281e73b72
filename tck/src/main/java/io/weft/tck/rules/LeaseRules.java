package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.LeaseState;
import io.weft.kv.RankDirectory.RankAddress;
import io.weft.kv.layout.ParallelLayout;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.tck.kv.HeldPosts;
import io.weft.tck.kv.KvCluster;
import io.weft.tck.kv.KvModel;
import io.weft.tck.kv.Relay;
import io.weft.tck.kv.Room;
import java.time.Duration;

/** KV: when the pages of a room that did not succeed are free again. */
@RuleSuite
class LeaseRules {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    @RuleTest(value = "KV-4", topologies = Topology.PAIR)
    void kv4_pagesAreNotHandedOutBeforeTheirRoomIsOver(Rig rig) throws InterruptedException {
        KvCluster kv = KvCluster.pair(rig);
        Room first = Room.of(7);
        KvReceiver receiver = kv.receive(kv.d(), first);
        Gate gate = new Gate();
        KvSender sender = kv.serve(kv.p(), first);
        sender.send(new KvChunk(first.source(), true, null, gate));
        kv.await(sender, KvPoll.TRANSFERRING);
        Room second = Room.of(8).withPages(new int[] {3, 6}, new int[] {9, 5}).withoutRow();
        KvReceiver next = kv.rooms(kv.d()).receiver(second.id());
        next.init(KvReceiver.ANY_DP_RANK);
        Expect.refused(
                "a room that names page 5 of a room that has not ended",
                () -> KvCluster.announce(next, second),
                ErrorCode.RESOURCE_EXHAUSTED);
        receiver.abort();
        rig.clocks().eventually("the pages of an aborted room can be used again", () -> accepted(next, second));
        Expect.that(
                receiver.lease().state().isReleased(),
                "page 5 was handed out while the lease of the aborted room is "
                        + receiver.lease().state());
        gate.open();
        rig.clocks()
                .throughout(() ->
                        Expect.that(sender.poll() != KvPoll.SUCCESS, "there was a late success of the aborted room"));
        kv.d().expectMemory("after the writes of an aborted room were let go");
        kv.send(kv.p(), second);
        kv.await(next, KvPoll.SUCCESS);
        kv.d().expectMemory("after the room that used the page again", second);
    }

    private static boolean accepted(KvReceiver receiver, Room room) {
        try {
            KvCluster.announce(receiver, room);
            return true;
        } catch (WeftException stillLeased) {
            Expect.equal("the refusal of a leased page", ErrorCode.RESOURCE_EXHAUSTED, stillLeased.code());
            return false;
        }
    }

    @RuleTest(value = "KV-4", topologies = Topology.PAIR)
    void kv4_pagesOfAWriterThatDoesNotAnswerWaitUntilItIsCutOff(Rig rig) throws InterruptedException {
        cutsOff(rig, LeaseState.DRAINING, "weft.kv.drain.timeout", "weft.kv.quarantine");
    }

    @RuleTest(value = "KV-4", topologies = Topology.PAIR)
    void kv4_pagesOfAnOlderWriterWaitUntilTheirQuarantineIsOver(Rig rig) throws InterruptedException {
        cutsOff(rig, LeaseState.QUARANTINED, "weft.kv.quarantine", "weft.kv.drain.timeout");
    }

    /** The writer's operations are with its fabric when decode gives up waiting for it, and come out of it later. */
    private static void cutsOff(Rig rig, LeaseState waits, String bound, String other) throws InterruptedException {
        Duration patience = rig.clocks().scaled(PATIENCE);
        KvCluster kv = new KvCluster(rig, bound, patience.toMillis() + "ms", other, "1h");
        HeldPosts[] fabric = new HeldPosts[1];
        kv.addPrefill(
                KvModel.SMALL,
                ParallelLayout.SINGLE,
                rig.sides().openHere(rig.setup().spec("prefill"), sound -> {
                    fabric[0] = new HeldPosts(sound);
                    return fabric[0];
                }));
        try (Relay relay = new Relay(kv.p().address())) {
            kv.detour(rank -> waits == LeaseState.QUARANTINED
                    ? new RankAddress(relay.address(), 0, "") // what a registry knows of an older rank
                    : new RankAddress(relay.address(), rank.epoch(), rank.engineKey()));
            kv.addDecode(KvModel.SMALL, ParallelLayout.SINGLE);
            Room room = Room.of(7).withoutRow();
            KvReceiver receiver = kv.receive(kv.d(), room);
            KvSender sender = kv.send(kv.p(), room);
            rig.clocks().eventually("the fabric has the writes of the room", () -> fabric[0].count() > 0);
            relay.swallow();
            long before = System.nanoTime();
            receiver.abort();
            Expect.equal(
                    "the lease of a room whose writer does not answer",
                    waits,
                    receiver.lease().state());
            KvReceiver next = kv.rooms(kv.d()).receiver(8);
            next.init(KvReceiver.ANY_DP_RANK);
            Room reuse = Room.of(8).withoutRow();
            rig.clocks().eventually("the pages of the aborted room can be used again", () -> accepted(next, reuse));
            Duration took = Duration.ofNanos(System.nanoTime() - before);
            Expect.equal(
                    "the lease when its pages were handed out",
                    LeaseState.FENCED,
                    receiver.lease().state());
            Expect.that(
                    took.compareTo(patience) >= 0,
                    "pages were handed out after " + took + ", " + bound + " is " + patience);
            fabric[0].letGo();
            rig.clocks()
                    .throughout(() -> kv.d().expectMemory("after the fabric let the writes of the aborted room go"));
            Expect.that(sender.poll() != KvPoll.SUCCESS, "the sender of the aborted room is " + sender.poll());
        }
    }
}
