package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import io.weft.spi.TransferSupport;
import io.weft.tck.Profile;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** WR-7, RD-7: sources stay as they are. WR-9, RD-9, MM-1, ORD-1: when bytes are seen, and by whom. */
@RuleSuite
class SourceRules {
    private static final int SIZE = 8192;

    @RuleTest(value = "WR-7", everyKind = true)
    void wr7_theSourceOfAWriteStaysAsItIs(Rig rig) throws InterruptedException {
        Block remote = rig.remote(SIZE);
        for (var rights : List.of(Access.ALL, Access.READ_ONLY)) {
            Block local = rig.block(rig.here(), rig.permutation().kinds().local(), SIZE, rights);
            byte[] source = local.fill(rig.random().nextLong());
            rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
            rig.succeeds(rig.write(local, 17, remote, 4001, 3000));
            Expect.sameBytes("the source of a write, registered with " + rights, source, local.bytes());
        }
        Block local = rig.local(SIZE);
        changedMeanwhile(rig, local, remote, true);
    }

    @RuleTest(value = "RD-7", everyKind = true)
    void rd7_theSourceOfAReadStaysAsItIs(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        for (var rights : List.of(Access.ALL, Access.READ_ONLY)) {
            Block remote = rig.remote(SIZE, rights);
            byte[] source = remote.fill(rig.random().nextLong());
            rig.succeeds(rig.read(local, 0, remote, 0, SIZE));
            rig.succeeds(rig.read(local, 4001, remote, 17, 3000));
            Expect.sameBytes("the source of a read, registered with " + rights, source, remote.bytes());
        }
        Block remote = rig.remote(SIZE);
        changedMeanwhile(rig, local, remote, false);
    }

    /** The source changes while its middle is in flight: the middle may hold either, the rest of the destination neither. */
    private static void changedMeanwhile(Rig rig, Block local, Block remote, boolean write)
            throws InterruptedException {
        Block source = write ? local : remote;
        Block destination = write ? remote : local;
        for (int round = 0; round < 10; round++) {
            byte[] old = source.fill(100 + round);
            byte[] before = destination.fill(200 + round);
            Transfer transfer =
                    write ? rig.write(local, 1000, remote, 1000, 5000) : rig.read(local, 1000, remote, 1000, 5000);
            byte[] later = source.fill(300 + round);
            rig.succeeds(transfer);
            byte[] seen = destination.bytes();
            for (int i = 0; i < SIZE; i++) {
                boolean named = i >= 1000 && i < 6000;
                Expect.that(
                        named ? seen[i] == old[i] || seen[i] == later[i] : seen[i] == before[i],
                        "byte " + i + " of the destination, " + (named ? "named" : "not named")
                                + " by the transfer, is neither of what it may be");
            }
        }
    }

    @RuleTest(value = "WR-9", everyKind = true)
    void wr9_whoLearnsOfASuccessSeesTheBytes(Rig rig) throws InterruptedException {
        for (TransferSupport support : rig.run().facts().capabilities().transfers()) {
            Expect.that(support.visibility() != null, support + " declares no visibility");
        }
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        int rounds = rig.run().config().profile() == Profile.QUICK ? 50 : 200;
        for (int round = 0; round < rounds; round++) {
            byte[] source = local.fill(rig.random().nextLong());
            rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
            // Asking is how the target learns of it.
            Expect.sameBytes("the target when it learns of write " + round, source, remote.bytes());
        }
    }

    @RuleTest(value = "RD-9", everyKind = true)
    void rd9_whoSeesASuccessSeesTheBytes(Rig rig) throws InterruptedException, ExecutionException, TimeoutException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        int rounds = rig.run().config().profile() == Profile.QUICK ? 50 : 200;
        for (int round = 0; round < rounds; round++) {
            byte[] source = remote.fill(rig.random().nextLong());
            Transfer transfer = rig.read(local, 0, remote, 0, SIZE);
            CompletableFuture<byte[]> seen = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("weft-tck-observer").start(() -> {
                while (!transfer.state().isTerminal()) {
                    Thread.onSpinWait();
                }
                seen.complete(local.bytes());
            });
            rig.succeeds(transfer);
            Expect.sameBytes("the initiator's region as the awaiting thread sees it", source, local.bytes());
            Expect.sameBytes(
                    "the initiator's region as another thread sees it",
                    source,
                    seen.get(rig.clocks().mustHappen().toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    @RuleTest(
            value = "MM-1",
            topologies = {Topology.PAIR, Topology.SELF})
    void mm1_storesBeforeAWriteAreSeenAndItsEndHappensBeforeCallbacks(Rig rig)
            throws InterruptedException, ExecutionException, TimeoutException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        for (int round = 0; round < 50; round++) {
            byte[] source = local.fill(rig.random().nextLong());
            CompletableFuture<byte[]> inCallback = new CompletableFuture<>();
            Transfer transfer = rig.write(local, 0, remote, 0, SIZE);
            transfer.onCompletion(ended -> inCallback.complete(remote.bytes()));
            rig.succeeds(transfer);
            Expect.sameBytes(
                    "the target as the callback sees it",
                    source,
                    inCallback.get(rig.clocks().mustHappen().toMillis(), TimeUnit.MILLISECONDS));
            Expect.sameBytes("the target after await", source, remote.bytes());
        }
    }

    @RuleTest("ORD-1")
    void ord1_whoNeedsOrderAwaits(Rig rig) throws InterruptedException {
        Block remote = rig.remote(SIZE);
        List<Block> sources = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sources.add(rig.local(SIZE));
            contents.add(sources.get(i).fill(10 + i));
        }
        for (int round = 0; round < 40; round++) {
            int i = round % 4;
            rig.succeeds(rig.write(sources.get(i), 0, remote, 0, SIZE));
            if (round % 10 == 9) {
                Expect.sameBytes("the target after the last of awaited writes", contents.get(i), remote.bytes());
            }
        }
        List<Transfer> together = new ArrayList<>();
        for (Block source : sources) {
            together.add(rig.write(source, 0, remote, 0, SIZE));
        }
        for (Transfer transfer : together) {
            Expect.equal("a write among writes to the same bytes", TransferState.SUCCEEDED, rig.end(transfer));
        }
        byte[] seen = remote.bytes();
        for (int at = 0; at < SIZE; at++) {
            byte value = seen[at];
            int index = at;
            Expect.that(
                    contents.stream().anyMatch(content -> content[index] == value),
                    "byte " + at + " of the target is of none of the writes to it");
        }
    }
}
