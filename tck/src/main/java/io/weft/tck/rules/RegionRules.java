package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Limits;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.EngineSpec;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Pattern;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** REG: how long, how far and for whom registered memory can be reached. */
@RuleSuite
class RegionRules {
    private static final int SIZE = 3000;

    @RuleTest("REG-3")
    void reg3_regionsMayOverlapEachWithItsOwnBounds(Rig rig) throws InterruptedException {
        assumeHost(rig);
        Block local = rig.local(SIZE);
        Block whole = rig.remote(SIZE);
        byte[] expected = whole.fill(1);
        Target owner = whole.owner();
        long[][] parts = {{0, SIZE}, {500, 1000}, {1000, 1500}, {1400, 1}, {0, SIZE}};
        List<Block> blocks = new ArrayList<>();
        for (long[] part : parts) {
            int handle = owner.registerPart(whole.handle(), part[0], part[1], Access.ALL);
            blocks.add(rig.describe(owner, handle, part[1]));
        }
        for (int i = 0; i < parts.length; i++) {
            byte[] source = local.fill(10 + i);
            Block block = blocks.get(i);
            int length = (int) parts[i][1];
            rig.succeeds(rig.write(local, 0, block, 0, length));
            System.arraycopy(source, 0, expected, (int) parts[i][0], length);
            Expect.sameBytes("the memory under all regions after a write of region " + i, expected, whole.bytes());
            rig.fails(
                    "a write one byte over the end of region " + i + ", where other regions go on",
                    rig.write(local, 0, block, 1, length),
                    ErrorCode.INVALID_ARGUMENT);
        }
        owner.deregister(blocks.get(1).handle(), rig.clocks().mustHappen().toMillis());
        rig.fails(
                "a write to the one that was deregistered",
                rig.write(local, 0, blocks.get(1), 0, 8),
                ErrorCode.REMOTE_ACCESS);
        rig.succeeds(rig.read(local, 0, blocks.get(2), 0, 1500));
        rig.succeeds(rig.write(local, 0, blocks.get(4), 0, 1));
    }

    @RuleTest("REG-5")
    void reg5_deregisterEndsWhatIsInFlightHere(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        byte[] old = from.fill(1);
        Block to = rig.remote(SIZE);
        byte[] before = to.fill(2);
        rig.succeeds(rig.write(from, 0, to, 0, 1));
        before[0] = old[0];
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        Transfer stuck = rig.write(from, 0, to, 0, SIZE);
        rig.clocks().eventually("the write was posted", () -> faults.injected(Fault.STALL) > 0);
        Duration timeout = rig.clocks().scaled(Duration.ofMillis(50));
        long began = System.nanoTime();
        from.region().deregister(timeout);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Expect.that(
                stuck.state().isTerminal(),
                "a transfer from the region is " + stuck.state() + " when deregister returned, must be terminal");
        Duration bound = timeout.plus(rig.run().facts().capabilities().quiesceTime())
                .plus(rig.clocks().scaled(Duration.ofSeconds(3)));
        Expect.that(took.compareTo(bound) < 0, "deregister(" + timeout + ") took " + took + ", the bound is " + bound);
        faults.plan(FaultPlan.NONE);
        from.fill(3);
        long changed =
                to.owner().watch(to.handle(), rig.clocks().mustNotHappen().toMillis());
        Expect.equal("first byte of the target that changed after deregister", -1L, changed);
        byte[] seen = to.bytes();
        for (int i = 0; i < SIZE; i++) {
            Expect.that(
                    seen[i] == before[i] || seen[i] == old[i],
                    "byte " + i + " of the target was stored into the source after deregister returned");
        }
    }

    @RuleTest("REG-5")
    void reg5_deregisterLetsTransfersFinishInItsTime(Rig rig) throws InterruptedException {
        rig.setup().faults(FaultPlan.NONE.with(Fault.DELAY_COMPLETION, 1).withLongestDelay(Duration.ofMillis(30)));
        Block from = rig.local(SIZE);
        byte[] source = from.fill(1);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        List<Transfer> posted = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            posted.add(rig.write(from, i * 100L, to, i * 100L, 100));
        }
        from.region().deregister(rig.clocks().mustHappen());
        for (Transfer transfer : posted) {
            Expect.that(
                    transfer.state().isTerminal(),
                    "a transfer is " + transfer.state() + " when deregister returned, must be terminal");
            rig.succeeds(transfer);
        }
        Expect.sameBytes("the target", source, to.bytes());
    }

    @RuleTest(value = "REG-6", topologies = Topology.PAIR)
    void reg6_moreThanTheFabricAllowsIsSaid(Rig rig) throws InterruptedException {
        rig.setup().decorate(sound -> new ForwardingProvider(sound) {
            @Override
            public Backend open(BackendContext context) {
                return new ForwardingBackend(super.open(context)) {
                    @Override
                    public Limits limits() {
                        return super.limits().withRegions(3, SIZE);
                    }
                };
            }
        });
        exhausted(rig, "a region over the fabric's limit of bytes", SIZE + 1);
        Block first = rig.local(SIZE);
        rig.local(SIZE);
        Block last = rig.local(SIZE);
        exhausted(rig, "a fourth region where the fabric takes three", 1);
        last.region().deregister(rig.clocks().mustHappen());
        rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(first, 0, to, 0, SIZE));
    }

    private static void exhausted(Rig rig, String what, long length) throws InterruptedException {
        var refused = Expect.refused(what, () -> rig.local(length), ErrorCode.RESOURCE_EXHAUSTED, ErrorCode.PERMISSION);
        Expect.that(
                refused.getMessage() != null && refused.getMessage().contains(Long.toString(SIZE)),
                "the refusal of " + what + " is '" + refused.getMessage() + "', must name the limit");
    }

    @RuleTest(
            value = "REG-7",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void reg7_aDescriptorOfAnEarlierIncarnationReachesNothing(Rig rig) throws InterruptedException {
        EngineSpec fixed = rig.setup()
                .spec("weft-tck-fixed-" + Long.toHexString(rig.random().nextLong()))
                .with("weft.exact-key", "true");
        Block from = rig.local(SIZE);
        from.fill(1);
        Target first = rig.sides().openThere(fixed);
        Sides.introduce(rig.here(), first);
        Block old = rig.block(first, rig.permutation().kinds().remote(), SIZE, Access.ALL);
        rig.succeeds(rig.write(from, 0, old, 0, SIZE));
        rig.sides().crash(first);

        Target second = rig.sides().openThere(fixed);
        Sides.introduce(rig.here(), second);
        Block now = rig.block(second, rig.permutation().kinds().remote(), SIZE, Access.ALL);
        byte[] untouched = now.fill(2);
        Expect.equal(
                "the key of both incarnations",
                Sides.key(second),
                old.descriptor().engineKey());
        rig.fails(
                "a write by a descriptor of the earlier incarnation",
                rig.write(from, 0, old, 0, SIZE),
                ErrorCode.STALE_DESCRIPTOR);
        rig.fails(
                "a read by a descriptor of the earlier incarnation",
                rig.read(from, 0, old, 0, SIZE),
                ErrorCode.STALE_DESCRIPTOR);
        Expect.sameBytes("the new incarnation's memory", untouched, now.bytes());
        rig.succeeds(rig.write(from, 0, now, 0, SIZE));
    }

    @RuleTest("REG-9")
    void reg9_rightsAreEnforced(Rig rig) throws InterruptedException {
        Block all = rig.local(SIZE);
        Block readable = rig.remote(SIZE, Access.READ_ONLY);
        byte[] kept = readable.fill(1);
        Block writable = rig.remote(SIZE, EnumSet.of(Access.REMOTE_WRITE, Access.LOCAL_READ));
        rig.succeeds(rig.read(all, 0, readable, 0, SIZE));
        rig.fails(
                "a write to a region that peers may read", rig.write(all, 0, readable, 0, 10), ErrorCode.REMOTE_ACCESS);
        rig.succeeds(rig.write(all, 0, writable, 0, SIZE));
        rig.fails(
                "a read of a region that peers may write", rig.read(all, 0, writable, 0, 10), ErrorCode.REMOTE_ACCESS);
        Expect.sameBytes("the region without a right to write", kept, readable.bytes());

        Block remote = rig.remote(SIZE);
        Block source = mine(rig, Set.of(Access.LOCAL_READ));
        byte[] mine = source.fill(3);
        rig.succeeds(rig.write(source, 0, remote, 0, SIZE));
        rig.fails("a read into a region to send from", rig.read(source, 0, remote, 0, 10), ErrorCode.PERMISSION);
        Expect.sameBytes("the region without a right to receive", mine, source.bytes());
        Block sink = mine(rig, Set.of(Access.LOCAL_WRITE));
        rig.succeeds(rig.read(sink, 0, remote, 0, SIZE));
        rig.fails("a write from a region to receive in", rig.write(sink, 0, remote, 0, 10), ErrorCode.PERMISSION);
    }

    private static Block mine(Rig rig, Set<Access> rights) {
        return rig.block(rig.here(), rig.permutation().kinds().local(), SIZE, rights);
    }

    @RuleTest(
            value = "REG-10",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void reg10_whatTheEngineAllocatedLivesUntilDeregistered(Rig rig) throws InterruptedException {
        Block to = rig.remote(SIZE);
        MemorySegment memory = allocated(rig, to);
        for (int i = 0; i < 3; i++) { // nobody holds the region now but the engine
            System.gc();
            Expect.that(
                    memory.scope().isAlive(),
                    "memory of a registered region that the engine allocated is gone before it was deregistered");
        }
        Expect.sameBytes(
                "memory that the engine allocated, after garbage collections",
                Pattern.bytes(5, SIZE),
                memory.toArray(ValueLayout.JAVA_BYTE));

        Region region = rig.engine().allocate(MemoryLocation.HOST, SIZE, RegisterOptions.DEFAULT);
        MemorySegment freed = region.segment().orElseThrow();
        region.deregister(rig.clocks().mustHappen());
        Expect.that(
                !freed.scope().isAlive(),
                "memory that the engine allocated can be touched after it was deregistered, must be freed");
        MemoryDescriptor there = to.descriptor();
        rig.fails(
                "a write from a region that was deregistered",
                rig.track(rig.engine().write(region, 0, there, 0, 8, TransferOptions.DEFAULT)),
                ErrorCode.CLOSED);
        rig.succeeds(rig.write(rig.local(SIZE), 0, to, 0, SIZE));
    }

    private static MemorySegment allocated(Rig rig, Block to) throws InterruptedException {
        Region region = rig.engine().allocate(MemoryLocation.HOST, SIZE, RegisterOptions.DEFAULT);
        MemorySegment memory = region.segment().orElseThrow();
        MemorySegment.copy(Pattern.bytes(5, SIZE), 0, memory, ValueLayout.JAVA_BYTE, 0, SIZE);
        rig.succeeds(rig.track(rig.engine().write(region, 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT)));
        return memory;
    }

    private static void assumeHost(Rig rig) {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                rig.permutation().kinds().remote().isHost(), "parts are registered of host memory");
    }
}
