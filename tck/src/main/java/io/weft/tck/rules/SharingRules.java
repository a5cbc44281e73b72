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
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** CON-1, CON-2, DSC-3: many threads, two directions, two processes. */
@RuleSuite
class SharingRules {
    private static final int LANE = 2000;
    private static final int THREADS = 6;
    private static final int ROUNDS = 25;

    @RuleTest("CON-1")
    void con1_anyThreadMayDoAnything(Rig rig) throws InterruptedException {
        Block from = rig.local((long) LANE * THREADS);
        byte[] source = from.fill(1);
        Block to = rig.remote((long) LANE * THREADS);
        rig.succeeds(rig.write(from, 0, to, 0, 1));
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new java.util.ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int lane = i;
            threads.add((i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(() -> {
                try {
                    start.await();
                    for (int round = 0; round < ROUNDS; round++) {
                        everything(rig, from, to, lane, round);
                    }
                } catch (InterruptedException | RuntimeException | Error thrown) {
                    wrong.add("thread " + lane + ": " + thrown);
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join(rig.clocks().mustHappen().multipliedBy(4));
            Expect.that(!thread.isAlive(), "a thread that uses the engine with others does not come to its end");
        }
        Expect.that(wrong.isEmpty(), "with " + THREADS + " threads on one engine: " + wrong);
        Expect.sameBytes("what all threads wrote", source, to.bytes());
    }

    private static void everything(Rig rig, Block from, Block to, int lane, int round) throws InterruptedException {
        long at = (long) lane * LANE;
        Transfer write =
                rig.engine().write(from.region(), at, to.descriptor(), at, LANE, io.weft.api.TransferOptions.DEFAULT);
        if (round % 5 == lane % 5) { // memory comes and goes meanwhile
            int handle = rig.here().allocate("host", 100, Access.ALL);
            rig.here().region(handle).deregister(rig.clocks().mustHappen());
        }
        rig.engine().stats();
        rig.engine().peerState(rig.targetKey());
        TransferState state = write.await(rig.clocks().mustHappen());
        Expect.that(state == TransferState.SUCCEEDED, "a write is " + state + " (" + write.text() + ")");
        Transfer read =
                rig.engine().read(from.region(), at, to.descriptor(), at, LANE, io.weft.api.TransferOptions.DEFAULT);
        read.cancel();
        Expect.that(read.await(rig.clocks().mustHappen()).isTerminal(), "a cancelled read does not end");
    }

    @RuleTest(
            value = "CON-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void con2_enginesThatWriteToEachOtherMakeProgress(Rig rig) throws InterruptedException {
        int size = 1 << 18;
        Block mine = rig.local(2L * size);
        Block theirs = rig.remote(2L * size);
        Target other = rig.target();
        Sides.introduce(other, rig.here());
        byte[] packed = rig.here().memory(mine.handle());
        byte[] source = mine.fill(1);
        byte[] back = theirs.fill(2);
        long deadline = rig.clocks().mustHappen().toMillis();
        CompletableFuture<Target.End> there = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("weft-tck-other-way").start(() -> {
            Target.End end = new Target.End("SUCCEEDED", "", "");
            for (int i = 0; i < ROUNDS && end.state().equals("SUCCEEDED"); i++) {
                end = other.move(true, theirs.handle(), 0, packed, 0, size, deadline);
            }
            there.complete(end);
        });
        for (int i = 0; i < ROUNDS; i++) {
            rig.succeeds(rig.write(mine, size, theirs, size, size));
        }
        Target.End end = there.join();
        Expect.that(
                end.state().equals("SUCCEEDED"),
                "of two engines that write to each other, the other one's write is " + end + ", must be SUCCEEDED");
        Expect.sameBytes(
                "what went there", Arrays.copyOfRange(source, size, 2 * size), other.get(theirs.handle(), size, size));
        Expect.sameBytes(
                "what came here", Arrays.copyOfRange(back, 0, size), rig.here().get(mine.handle(), 0, size));
    }

    @RuleTest(
            value = "DSC-3",
            topologies = {Topology.PROCESS, Topology.PAIR},
            everyKind = true)
    void dsc3_descriptorsAreUsableWhereTheyArrive(Rig rig) throws InterruptedException {
        Block from = rig.local(LANE);
        byte[] source = from.fill(1);
        Block to = rig.remote(LANE);
        var codec = rig.run().subject().codec();
        var arrived = codec.unpackMemory(codec.pack(to.descriptor()));
        rig.succeeds(
                rig.track(rig.engine().write(from.region(), 0, arrived, 0, LANE, io.weft.api.TransferOptions.DEFAULT)));
        Expect.sameBytes("the region that a descriptor from elsewhere names", source, to.bytes());
        // And the other way round, by what this side packs.
        Sides.introduce(rig.target(), rig.here());
        byte[] theirs = to.fill(2);
        Target.End end = rig.target()
                .move(
                        true,
                        to.handle(),
                        0,
                        codec.pack(from.region().descriptor()),
                        0,
                        LANE,
                        rig.clocks().mustHappen().toMillis());
        Expect.equal("the end of a write by a descriptor packed here", "SUCCEEDED", end.state());
        Expect.sameBytes("the region that was named elsewhere", theirs, from.bytes());
    }
}
