package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.tck.Profile;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/** REG: memory. */
@RuleSuite
class MemoryRules {
    private static final int SIZE = 1000;

    @RuleTest(value = "REG-1", topologies = Topology.PAIR)
    void reg1_aDescriptorTellsAddressLengthKindAndOwner(Rig rig) {
        TransferEngine engine = rig.engine();
        Set<Integer> ids = new HashSet<>();
        try (Arena arena = Arena.ofShared()) {
            for (int i = 1; i <= 50; i++) {
                MemorySegment memory = arena.allocate(SIZE + i);
                Region region = engine.register(memory, RegisterOptions.DEFAULT);
                MemoryDescriptor descriptor = region.descriptor();
                Expect.equal("the descriptor's address", memory.address(), descriptor.address());
                Expect.equal("the descriptor's length", memory.byteSize(), descriptor.length());
                Expect.equal("the descriptor's location code of host memory", 1, descriptor.location());
                Expect.equal("the descriptor's owner", engine.descriptor().key(), descriptor.engineKey());
                Expect.that(ids.add(descriptor.id()), "region id " + descriptor.id() + " was given twice");
                if (i % 2 == 0) {
                    region.deregister(rig.clocks().mustHappen());
                }
            }
            int first = rig.local(SIZE).descriptor().id();
            int other = rig.block(rig.target(), rig.permutation().kinds().remote(), SIZE, Access.ALL)
                    .descriptor()
                    .id();
            Expect.that(
                    Math.abs((long) first - other) > 1000,
                    "ids of two engines are " + Integer.toUnsignedString(first) + " and "
                            + Integer.toUnsignedString(other) + ", must start at random places");
            engine.close();
        }
    }

    @RuleTest(value = "REG-2", topologies = Topology.PAIR)
    void reg2_regionsThatAreNoneAreRefused(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        MemorySegment heap = MemorySegment.ofArray(new byte[SIZE]);
        Expect.refused(
                "a heap segment", () -> engine.register(heap, RegisterOptions.DEFAULT), ErrorCode.INVALID_ARGUMENT);
        Expect.refused(
                "a segment of no bytes",
                () -> engine.register(MemorySegment.ofAddress(4096), RegisterOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT);
        refused(engine, "no bytes", 4096, 0);
        refused(engine, "a negative length", 4096, -1);
        refused(engine, "the null address", 0, SIZE);
        refused(engine, "a region over the end of the address space", -16, 32);
        Expect.refused(
                "allocate of no bytes",
                () -> engine.allocate(MemoryLocation.HOST, 0, RegisterOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT);
        Expect.refused(
                "allocate of a negative length",
                () -> engine.allocate(MemoryLocation.HOST, -4096, RegisterOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT);
    }

    private static void refused(TransferEngine engine, String what, long address, long length)
            throws InterruptedException {
        Expect.refused(
                what,
                () -> engine.register(address, length, MemoryLocation.HOST, RegisterOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT);
    }

    @RuleTest("REG-4")
    void reg4_aDeregisteredRegionIsOutOfReach(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        from.fill(1);
        Block gone = rig.remote(SIZE);
        Block kept = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, gone, 0, 100));
        gone.owner().deregister(gone.handle(), rig.clocks().mustHappen().toMillis());
        byte[] before = gone.bytes();
        for (int i = 0; i < 3; i++) {
            Transfer late = rig.fails(
                    "a write to a deregistered region", rig.write(from, 0, gone, 500, 100), ErrorCode.REMOTE_ACCESS);
            Expect.sameBytes("the deregistered memory", before, gone.bytes());
            Expect.equal(
                    "operations posted for it", 0, late.receipt().orElseThrow().operations());
        }
        rig.fails("a read of a deregistered region", rig.read(from, 0, gone, 0, 100), ErrorCode.REMOTE_ACCESS);
        rig.succeeds(rig.write(from, 0, kept, 0, SIZE));
        Expect.sameBytes("a region that stays", from.bytes(), kept.bytes());
    }

    @RuleTest(value = "REG-8", everyKind = true)
    void reg8_everySubRangeIsAddressedExactly(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] source = local.fill(rig.random().nextLong());
        byte[] expected = remote.fill(rig.random().nextLong());
        int tries = rig.run().config().profile() == Profile.QUICK ? 60 : 300;
        for (int i = 0; i < tries; i++) {
            int length = i < 40 ? 1 + i : 1 + rig.random().nextInt(SIZE);
            int from = rig.random().nextInt(SIZE - length + 1);
            int to = i % 3 == 0 ? SIZE - length : rig.random().nextInt(SIZE - length + 1);
            rig.succeeds(rig.write(local, from, remote, to, length));
            System.arraycopy(source, from, expected, to, length);
            Expect.sameBytes(
                    "the region after " + length + " bytes from " + from + " to " + to, expected, remote.bytes());
        }
    }
}
