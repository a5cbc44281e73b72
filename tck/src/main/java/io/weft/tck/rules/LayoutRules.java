package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.KvTransferException;
import io.weft.kv.layout.ParallelLayout;
import io.weft.tck.Profile;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.tck.kv.KvCluster;
import io.weft.tck.kv.KvModel;
import io.weft.tck.kv.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** KV: prefill and decode instances of different layouts. */
@RuleSuite
class LayoutRules {
    private static final int MOST_PAGES = 6;

    /** Two instances: TP, PP and CP size of prefill, TP and PP size of decode. */
    private record Instances(boolean mla, int tp, int pp, int cp, int decodeTp, int decodePp) {}

    private static final List<Instances> FEW = List.of(
            new Instances(false, 2, 1, 1, 1, 1),
            new Instances(false, 1, 1, 1, 2, 1),
            new Instances(false, 1, 2, 1, 1, 1),
            new Instances(false, 1, 1, 2, 1, 1));
    private static final List<Instances> MORE = List.of(
            new Instances(false, 4, 1, 1, 2, 1),
            new Instances(false, 2, 1, 1, 4, 1),
            new Instances(false, 2, 2, 1, 2, 2),
            new Instances(false, 1, 2, 2, 2, 1),
            new Instances(true, 2, 1, 1, 1, 1),
            new Instances(true, 1, 1, 1, 2, 1),
            new Instances(true, 1, 2, 1, 1, 2));

    @RuleTest(value = "KV-5", topologies = Topology.PAIR)
    void kv5_dummyRanksAreNeitherNotifiedNorCounted(Rig rig) {
        KvModel model = KvModel.SMALL.asMla();
        KvCluster kv = new KvCluster(rig);
        KvCluster.ranks(2, 1, 1).forEach(layout -> kv.addPrefill(model, layout));
        kv.addDecode(model, ParallelLayout.SINGLE);
        Room room = Room.of(7);
        KvReceiver receiver = kv.receive(kv.d(), room);
        // All ranks hold the same latent pages, so the second one has nothing to send to the only decode rank.
        KvSender dummy = kv.send(kv.prefill().get(1), room);
        kv.await(dummy, KvPoll.SUCCESS);
        rig.clocks()
                .throughout(() -> Expect.equal(
                        "the receiver when only a dummy rank is done, which must not be counted",
                        KvPoll.WAITING_FOR_INPUT,
                        receiver.poll()));
        Expect.equal("bytes that the dummy rank sent", 0L, dummy.bytes());
        KvSender real = kv.send(kv.prefill().get(0), room);
        kv.await(receiver, KvPoll.SUCCESS);
        kv.await(real, KvPoll.SUCCESS);
        Expect.equal("messages that decode did not expect", 0L, kv.d().stats().rejected());
        Expect.equal(
                "messages that the dummy rank did not expect",
                0L,
                kv.prefill().get(1).stats().rejected());
        kv.d().expectMemory("after the room", room);
    }

    @RuleTest(value = "KV-6", topologies = Topology.PAIR)
    void kv6_everyLayoutBringsWhatTheModelSays(Rig rig) {
        List<Instances> all = new ArrayList<>(FEW);
        if (rig.run().config().profile() != Profile.QUICK) {
            all.addAll(MORE);
        }
        for (Instances instances : all) {
            KvModel model = instances.mla() ? KvModel.SMALL.asMla() : KvModel.SMALL;
            try (KvCluster kv = new KvCluster(rig, "weft.kv.all-cp-ranks", "" + (instances.cp() > 1))) {
                KvCluster.ranks(instances.tp(), instances.pp(), instances.cp())
                        .forEach(layout -> kv.addPrefill(model, layout));
                KvCluster.ranks(instances.decodeTp(), instances.decodePp(), 1)
                        .forEach(layout -> kv.addDecode(model, layout));
                int count = 1 + rig.random().nextInt(MOST_PAGES);
                Room room = Room.of(7).withPages(pages(rig.random(), model, count), pages(rig.random(), model, count));
                List<KvReceiver> receivers =
                        kv.decode().stream().map(rank -> kv.receive(rank, room)).toList();
                kv.prefill().forEach(rank -> kv.send(rank, room));
                receivers.forEach(receiver -> kv.await(receiver, KvPoll.SUCCESS));
                for (int i = 0; i < receivers.size(); i++) {
                    kv.decode().get(i).expectMemory(instances + ", decode rank " + i, room);
                }
            }
        }
    }

    private static int[] pages(SplittableRandom random, KvModel model, int count) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, model.pages()).boxed().toList());
        return IntStream.range(0, count)
                .map(i -> all.remove(random.nextInt(all.size())))
                .toArray();
    }

    @RuleTest(value = "KV-7", topologies = Topology.PAIR)
    void kv7_illegalLayoutsAreRefusedWithBothValues(Rig rig) {
        KvModel model = KvModel.SMALL;
        refused(rig, "page sizes", model, model.withPageSize(8), 1, 1, "4", "8");
        refused(rig, "heads", model.withHeads(4), model, 1, 1, "4", "8");
        refused(rig, "MLA", model, model.asMla(), 1, 1, "does not use MLA", "decode does");
        KvModel twelve = model.withHeads(12);
        refused(rig, "TP sizes", twelve, twelve, 2, 3, "prefill TP size 2", "decode TP size 3");
    }

    private static void refused(
            Rig rig, String what, KvModel prefill, KvModel decode, int tp, int decodeTp, String one, String other) {
        try (KvCluster kv = new KvCluster(rig)) {
            KvCluster.ranks(tp, 1, 1).forEach(layout -> kv.addPrefill(prefill, layout));
            kv.addDecode(decode, ParallelLayout.tp(decodeTp, 0));
            KvReceiver receiver = kv.receive(kv.d(), Room.of(7));
            kv.await(receiver, KvPoll.FAILED);
            KvTransferException failure = receiver.failure();
            String said = String.valueOf(failure);
            Expect.that(
                    said.contains(one) && said.contains(other),
                    "the refusal of different " + what + " does not name '" + one + "' and '" + other + "': " + said);
            Expect.that(
                    failure != null && failure.code() == ErrorCode.INCOMPATIBLE,
                    "the refusal of different " + what + " is " + said + ", its code must be INCOMPATIBLE");
            kv.d().expectMemory("after different " + what);
        }
    }
}
