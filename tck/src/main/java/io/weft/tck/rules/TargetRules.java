package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** DL-4, DL-5: what is stopped stops, and nothing else does. */
@RuleSuite
class TargetRules {
    private static final int SIZE = 40_000;

    @RuleTest("DL-4")
    void dl4_cancellingOneLeavesTheOthersAlone(Rig rig) throws InterruptedException {
        rig.setup().with("weft.transfer.cancel-grace", Duration.ofMillis(20));
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        byte[] source = from.fill(1);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, 1));
        // The victim's completion is lost, so that the backend cannot withdraw it: its link has to be broken.
        faults.plan(FaultPlan.NONE.with(Fault.DROP, 1));
        Transfer victim = rig.write(from, 0, to, 0, 4000);
        rig.clocks().eventually("the victim was posted", () -> faults.injected(Fault.DROP) > 0);
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        List<Transfer> unrelated = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            unrelated.add(rig.write(from, i * 4000L, to, i * 4000L, 4000));
        }
        rig.clocks().eventually("the others were posted", () -> faults.injected(Fault.STALL) >= 9);
        faults.plan(FaultPlan.NONE);
        victim.cancel();
        Expect.equal("the one that was cancelled", TransferState.CANCELLED, rig.end(victim));
        for (Transfer transfer : unrelated) {
            rig.succeeds(transfer);
        }
        Expect.sameBytes(
                "what the others wrote",
                Arrays.copyOfRange(source, 4000, SIZE),
                to.owner().get(to.handle(), 4000, SIZE - 4000));
    }

    @RuleTest("DL-5")
    void dl5_nothingLandsAfterTheTargetTookItsMemoryBack(Rig rig) throws InterruptedException {
        Duration late = rig.clocks().scaled(Duration.ofMillis(120));
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        for (int round = 0; round < 3; round++) {
            Block to = rig.remote(SIZE);
            rig.succeeds(rig.write(from, 0, to, 0, 1));
            from.fill(100 + round);
            faults.plan(FaultPlan.NONE.with(Fault.DELAY_POST, 1).withLongestDelay(late));
            List<Transfer> writes = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                writes.add(rig.write(from, i * 4000L, to, i * 4000L, 4000));
            }
            to.owner().deregister(to.handle(), 20);
            long changed = to.owner().watch(to.handle(), 2 * late.toMillis());
            Expect.equal("the first byte that changed at the target after deregister", -1L, changed);
            for (Transfer write : writes) {
                rig.end(write);
            }
            faults.plan(FaultPlan.NONE);
        }
    }

    @RuleTest("DL-5")
    void dl5_aFenceCutsOffAndTheNextTransferConnectsAnew(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        byte[] old = from.fill(1);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        Transfer stuck = rig.write(from, 0, to, 0, SIZE);
        rig.clocks().eventually("it was posted", () -> faults.injected(Fault.STALL) > 0);
        faults.plan(FaultPlan.NONE); // what is posted again goes through
        long patience = rig.clocks().mustHappen().toMillis();
        Expect.that(
                rig.target().fence(Sides.key(rig.here()), patience),
                "fence of the initiator was not confirmed in " + patience + " ms");
        Expect.that(rig.end(stuck) != TransferState.SUCCEEDED, "a transfer succeeded that the target had cut off");
        byte[] source = from.fill(2);
        long changed =
                to.owner().watch(to.handle(), rig.clocks().mustNotHappen().toMillis());
        Expect.equal("the first byte that changed at the target after the fence", -1L, changed);
        Expect.sameBytes("the target after the fence", old, to.bytes());
        rig.eventuallySucceeds(() -> rig.write(from, 0, to, 0, SIZE));
        Expect.sameBytes("the target after the link was rebuilt", source, to.bytes());
    }

    @RuleTest(value = "DL-5", topologies = Topology.PROCESS)
    void dl5_norFromAnInitiatorThatWasStopped(Rig rig) throws InterruptedException {
        rig.setup().withQuickLiveness();
        Target owner = rig.target();
        Target initiator = rig.sides().openProcess(rig.setup().spec("sleeper"));
        Sides.introduce(initiator, owner);
        Block from = rig.block(initiator, rig.permutation().kinds().local(), SIZE, Access.ALL);
        Block to = rig.remote(SIZE);
        byte[] packed = owner.memory(to.handle());
        long deadline = rig.clocks().mustHappen().toMillis();
        AtomicBoolean over = new AtomicBoolean();
        Thread writes = Thread.ofPlatform().daemon().name("weft-tck-sleeper").start(() -> {
            for (long seed = 0; !over.get(); seed++) {
                from.fill(seed);
                if (!initiator
                        .move(true, from.handle(), 0, packed, 0, SIZE, deadline)
                        .state()
                        .equals("SUCCEEDED")) {
                    return;
                }
            }
        });
        rig.clocks().eventually("the initiator writes", () -> owner.watch(to.handle(), 5) >= 0);
        rig.sides().processOf(initiator).stop();
        try {
            owner.deregister(
                    to.handle(), rig.clocks().scaled(Duration.ofMillis(100)).toMillis());
        } finally {
            rig.sides().processOf(initiator).resume();
        }
        long changed = owner.watch(to.handle(), rig.clocks().settle().toMillis());
        over.set(true);
        Expect.equal("the first byte that a resumed initiator changed after deregister", -1L, changed);
        writes.join(rig.clocks().mustHappen().multipliedBy(2));
    }
}
