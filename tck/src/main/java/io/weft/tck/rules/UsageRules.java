package io.weft.tck.rules;

import com.sun.management.ThreadMXBean;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.tck.Profile;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** BP-2 to BP-4: one peer's trouble is its own, nothing is left, and segments cost nothing on the heap. */
@RuleSuite
class UsageRules {
    private static final int SIZE = 4000;

    @RuleTest(
            value = "BP-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void bp2_oneStoppedPeerHoldsUpNoOther(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Block there = rig.elsewhere("other", SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        rig.succeeds(rig.write(from, 0, there, 0, SIZE));
        boolean process = rig.permutation().topology() == Topology.PROCESS;
        List<Transfer> stuck = new ArrayList<>();
        try {
            if (process) {
                rig.process().stop();
            } else {
                faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
            }
            for (int i = 0; i < 20; i++) {
                stuck.add(rig.write(from, 0, to, 0, SIZE));
            }
            if (!process) {
                rig.clocks().eventually("they were posted", () -> faults.injected(Fault.STALL) >= 20);
                faults.plan(FaultPlan.NONE);
            }
            for (int i = 0; i < 50; i++) {
                rig.succeeds(rig.write(from, 0, there, 0, SIZE));
            }
            stuck.forEach(Transfer::cancel);
        } finally {
            if (process) {
                rig.process().resume();
            }
        }
        for (Transfer transfer : stuck) {
            rig.end(transfer);
        }
    }

    @RuleTest(value = "BP-3", topologies = Topology.PAIR)
    @Timeout(1800) // the whole profile makes ten thousand cycles
    void bp3_cyclesLeaveNothing(Rig rig) throws InterruptedException {
        int cycles = switch (rig.run().config().profile()) {
            case QUICK -> 15;
            case STANDARD -> 150;
            case FULL -> 10_000;
        };
        for (int i = 0; i < 5; i++) { // whatever stays once for the process
            cycle(rig);
        }
        Leftovers before = Leftovers.now();
        for (int i = 0; i < cycles; i++) {
            cycle(rig);
        }
        rig.clocks()
                .eventually(
                        cycles + " cycles of connect, transfer and close left no more than " + before + "; now "
                                + Leftovers.now(),
                        () -> Leftovers.now().isWithin(before, 3));
    }

    private static void cycle(Rig outer) throws InterruptedException {
        try (Rig rig = new Rig(outer.run(), outer.permutation())) {
            rig.setup().unchecked();
            Block from = rig.local(SIZE);
            Block to = rig.remote(SIZE);
            rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        }
    }

    @RuleTest(value = "BP-4", topologies = Topology.PAIR)
    void bp4_allocationDoesNotGrowWithSegments(Rig rig) throws InterruptedException {
        rig.setup().unchecked();
        int many = rig.run().config().profile() == Profile.QUICK ? 5_000 : 20_000;
        int few = 10;
        long region = many * 40L;
        Block from = rig.local(region);
        Block to = rig.remote(region);
        EngineTarget initiator = rig.here();
        try (TransferSession session = initiator.engine().session(from.region(), to.descriptor())) {
            SegmentTable small = strided(few);
            SegmentTable large = strided(many);
            allocated(rig, session, large, 60);
            allocated(rig, session, small, 60);
            double least = Double.MAX_VALUE;
            for (int window = 0; window < 3; window++) { // what else allocates comes and goes
                long withFew = allocated(rig, session, small, 30);
                long withMany = allocated(rig, session, large, 30);
                least = Math.min(least, (withMany - withFew) / (30.0 * (many - few)));
            }
            Expect.that(
                    least < 2,
                    "a transfer allocates " + String.format("%.1f", least)
                            + " bytes more for each segment more, must not grow with segments");
        }
    }

    /** Gaps, so that nothing can be merged. */
    private static SegmentTable strided(int count) {
        long[] offsets = new long[count];
        long[] lengths = new long[count];
        for (int i = 0; i < count; i++) {
            offsets[i] = i * 40L;
            lengths[i] = 16;
        }
        return SegmentTable.of(offsets, offsets.clone(), lengths);
    }

    private static long allocated(Rig rig, TransferSession session, SegmentTable table, int times)
            throws InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getTotalThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            rig.succeeds(session.write(table, TransferOptions.DEFAULT));
        }
        return threads.getTotalThreadAllocatedBytes() - before;
    }
}
