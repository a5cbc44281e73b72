package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.RoutePolicy;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.spi.OperationKind;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Facts;
import io.weft.tck.harness.HarnessBroken;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Shape;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** DEV: device memory, moved directly or staged, tried with {@code --memory KIND}; and sources that are not ready yet. */
@RuleSuite
class DeviceRules {
    /** More than one chunk of staging, and no multiple of anything. */
    private static final int SIZE = 2_500_003;

    private static final int SMALL = 9_001;

    @RuleTest(value = "DEV-1", everyKind = true)
    void dev1_rightBytesForEachPair(Rig rig) throws InterruptedException {
        assumeDevice(rig);
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] written = local.fill(1);
        remote.fill(2);
        rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
        Expect.sameBytes("what a write left in " + rig.permutation().kinds(), written, remote.bytes());
        byte[] read = remote.fill(3);
        rig.succeeds(rig.read(local, 0, remote, 0, SIZE));
        Expect.sameBytes("what a read left in " + rig.permutation().kinds(), read, local.bytes());
    }

    @RuleTest(value = "DEV-2", everyKind = true)
    void dev2_offsetsInsideAnAllocationAreExact(Rig rig, Shape shape) throws InterruptedException {
        assumeDevice(rig);
        SegmentTable table = shape.table(rig.random());
        Block local = rig.local(Shape.regionBytes(table) + SMALL);
        Block remote = rig.remote(Shape.regionBytes(table) + SMALL);
        byte[] source = local.fill(rig.random().nextLong());
        byte[] target = remote.fill(rig.random().nextLong());
        try (var session = rig.engine().session(local.region(), remote.descriptor())) {
            rig.succeeds(rig.track(session.write(table, TransferOptions.DEFAULT)));
        }
        byte[] after = Moves.written(source, target, table);
        Expect.sameBytes("the target after a table of segments", after, remote.bytes());
        for (int offset : new int[] {1, 3, 7, 4_095}) {
            rig.succeeds(rig.write(local, offset, remote, offset + 1L, 1_025));
            System.arraycopy(source, offset, after, offset + 1, 1_025);
            Expect.sameBytes("the target after a write at offset " + (offset + 1), after, remote.bytes());
        }
    }

    @RuleTest(value = "DEV-3", everyKind = true)
    void dev3_aStagedTransferSaysSoAndIsRefusedUnderFail(Rig rig) throws InterruptedException {
        assumeDevice(rig);
        Block local = rig.local(SMALL);
        Block remote = rig.remote(SMALL);
        local.fill(1);
        byte[] before = remote.fill(2);
        boolean direct = isDirect(rig, OperationKind.WRITE);
        Transfer strict = rig.track(rig.engine()
                .write(
                        local.region(),
                        0,
                        remote.descriptor(),
                        0,
                        SMALL,
                        TransferOptions.DEFAULT.withRoutePolicy(RoutePolicy.FAIL)));
        if (direct) {
            rig.succeeds(strict);
        } else {
            rig.fails("a staged write under route policy fail", strict, ErrorCode.UNSUPPORTED);
            Expect.sameBytes("the target of a refused write", before, remote.bytes());
        }
        Expect.equal("whether the receipt of a write counts staging copies", !direct, isStaged(rig, local, remote));
    }

    @RuleTest(
            value = "DEV-4",
            everyKind = true,
            topologies = {Topology.PAIR})
    void dev4_theCpuNeverTouchesDeviceMemory(Rig rig) {
        assumeDevice(rig);
        // In a process of its own, which a touch of the CPU ends by a signal.
        Target initiator = rig.sides().openProcess(rig.setup().spec("initiator"));
        try {
            Target target = rig.sides().openBeside(initiator, rig.setup().spec("target"));
            Sides.introduce(initiator, target);
            Facts.Kinds kinds = rig.permutation().kinds();
            int local = initiator.allocate(
                    where(kinds.local().isHost(), kinds.local().id()), SMALL, Access.ALL);
            int remote = target.allocate(
                    where(kinds.remote().isHost(), kinds.remote().id()), SMALL, Access.ALL);
            byte[] content = new byte[SMALL];
            Arrays.fill(content, (byte) 7);
            initiator.put(local, 0, content);
            for (boolean write : new boolean[] {true, false}) {
                Target.End end = initiator.move(
                        write,
                        local,
                        0,
                        target.memory(remote),
                        0,
                        SMALL,
                        rig.clocks().mustHappen().toMillis());
                Expect.equal(
                        (write ? "a write" : "a read") + " of device memory: " + end.text(), "SUCCEEDED", end.state());
            }
            Expect.sameBytes("the target's memory", content, target.get(remote, 0, SMALL));
        } catch (HarnessBroken gone) {
            rig.clocks()
                    .eventually(
                            "the process is alive or has ended",
                            () -> !rig.sides().processOf(initiator).isAlive());
            throw new AssertionError(
                    "the process that moves device memory was ended by a signal, as by a load or store of the CPU: "
                            + gone.getMessage(),
                    gone);
        }
    }

    @RuleTest(value = "DEV-5", everyKind = true)
    void dev5_whatIsDeclaredDirectCarriesBytes(Rig rig) throws InterruptedException {
        assumeDevice(rig);
        Block local = rig.local(SMALL);
        Block remote = rig.remote(SMALL);
        byte[] there = local.fill(1);
        remote.fill(2);
        Transfer write = rig.succeeds(rig.write(local, 0, remote, 0, SMALL));
        Expect.sameBytes("the first write over a route " + declared(rig, OperationKind.WRITE), there, remote.bytes());
        byte[] back = remote.fill(3);
        Transfer read = rig.succeeds(rig.read(local, 0, remote, 0, SMALL));
        Expect.sameBytes("the first read over a route " + declared(rig, OperationKind.READ), back, local.bytes());
        Expect.equal(
                "staging copies of a write over a route " + declared(rig, OperationKind.WRITE) + " are counted",
                !isDirect(rig, OperationKind.WRITE),
                write.receipt().orElseThrow().stagingCopies() > 0);
        Expect.equal(
                "staging copies of a read over a route " + declared(rig, OperationKind.READ) + " are counted",
                !isDirect(rig, OperationKind.READ),
                read.receipt().orElseThrow().stagingCopies() > 0);
    }

    @RuleTest(value = "DEV-6", everyKind = true)
    void dev6_aSourceIsReadOnceItIsReady(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        local.fill(1);
        byte[] before = remote.fill(2);
        AtomicBoolean ready = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        Transfer write = rig.track(rig.engine()
                .write(local.region(), 0, remote.descriptor(), 0, SIZE, TransferOptions.DEFAULT.withReadyWhen(() -> {
                    asked.incrementAndGet();
                    return ready.get();
                })));
        rig.clocks()
                .eventually(
                        "a write whose source is not ready asks for it, or has ended",
                        () -> asked.get() > 2 || write.state().isTerminal());
        Expect.equal(
                "whether a write ended before its source was ready",
                false,
                write.state().isTerminal());
        Expect.sameBytes("the target of a write whose source is not ready", before, remote.bytes());
        byte[] there = local.fill(3);
        ready.set(true);
        rig.succeeds(write);
        Expect.sameBytes("the target of a write whose source got ready", there, remote.bytes());
    }

    private static boolean isStaged(Rig rig, Block local, Block remote) throws InterruptedException {
        Transfer t = rig.succeeds(rig.write(local, 0, remote, 0, SMALL));
        return t.receipt().orElseThrow().stagingCopies() > 0;
    }

    private static boolean isDirect(Rig rig, OperationKind operation) {
        Facts.Kinds kinds = rig.permutation().kinds();
        return rig.run()
                .facts()
                .capabilities()
                .find(operation, kinds.local(), kinds.remote())
                .isPresent();
    }

    private static String declared(Rig rig, OperationKind operation) {
        return rig.permutation().kinds() + (isDirect(rig, operation) ? " declared direct" : " that is staged");
    }

    private static String where(boolean host, String kind) {
        return host ? "host" : kind + ":0";
    }

    private static void assumeDevice(Rig rig) {
        Facts.Kinds kinds = rig.permutation().kinds();
        Assumptions.assumeTrue(
                !kinds.local().isHost() || !kinds.remote().isHost(),
                "device memory was not asked for; add --memory fake, cuda:0 or hip:0");
    }
}
