package io.weft.tck.rules;

import io.weft.api.AwaitResult;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** WT: waiting. */
@RuleSuite
class WaitRules {
    private static final int SIZE = 512;

    @RuleTest("WT-1")
    void wt1_aBoundedAwaitReturnsInItsTimeout(Rig rig) throws InterruptedException {
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, gate.options()));
        Duration slack = rig.clocks().settle();
        for (Duration timeout :
                List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(20), Duration.ofMillis(70))) {
            long start = System.nanoTime();
            TransferState state = transfer.await(timeout);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            Expect.equal(
                    "the state of a transfer that cannot go on, after await(" + timeout + ")",
                    TransferState.IN_PROGRESS,
                    state);
            Expect.that(
                    took.compareTo((timeout.isNegative() ? Duration.ZERO : timeout).plus(slack)) < 0,
                    "await(" + timeout + ") took " + took);
            Expect.that(
                    timeout.isNegative() || took.compareTo(timeout) >= 0,
                    "await(" + timeout + ") of an unfinished transfer took only " + took);
        }
        gate.open();
        rig.succeeds(transfer);
        Expect.equal("await(0) of a finished transfer", TransferState.SUCCEEDED, transfer.await(Duration.ZERO));
    }

    @RuleTest("WT-2")
    void wt2_awaitAllNamesTheFirstFailureInListOrder(Rig rig) throws InterruptedException {
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer slow = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, gate.options()));
        Transfer bad =
                rig.track(rig.engine().write(from.region(), 0, to.descriptor(), SIZE, 1, TransferOptions.DEFAULT));
        Transfer worse =
                rig.track(rig.engine().write(from.region(), -1, to.descriptor(), 0, 1, TransferOptions.DEFAULT));
        Transfer good = rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Duration patience = rig.clocks().mustHappen();

        AwaitResult none = rig.engine().awaitAll(List.of(), Duration.ZERO);
        Expect.equal("awaitAll of nothing", TransferState.SUCCEEDED, none.state());
        AwaitResult unfinished = rig.engine().awaitAll(List.of(good, slow), Duration.ofMillis(30));
        Expect.equal("awaitAll with one that goes on, time up", TransferState.IN_PROGRESS, unfinished.state());
        AwaitResult failing = rig.engine().awaitAll(List.of(slow, bad), Duration.ofMillis(30));
        Expect.equal(
                "awaitAll with one that goes on and one that failed, time up", TransferState.FAILED, failing.state());
        Expect.that(failing.failed() == bad, "awaitAll named " + failing.failed() + ", must name the one that failed");
        gate.open();
        AwaitResult all = rig.engine().awaitAll(List.of(slow, good), patience);
        Expect.equal("awaitAll of two that succeed", TransferState.SUCCEEDED, all.state());
        AwaitResult two = rig.engine().awaitAll(List.of(slow, worse, good, bad), patience);
        Expect.equal("awaitAll with two that failed", TransferState.FAILED, two.state());
        Expect.that(two.failed() == worse, "awaitAll named another failure than the first in list order");
    }

    @RuleTest("WT-3")
    void wt3_manyThreadsMayAwaitOneTransfer(Rig rig) throws InterruptedException {
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, gate.options()));
        Duration patience = rig.clocks().mustHappen();
        AtomicInteger succeeded = new AtomicInteger();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            waiting.add((i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).start(() -> {
                try {
                    if (transfer.await(patience) == TransferState.SUCCEEDED) {
                        succeeded.incrementAndGet();
                    }
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        gate.open();
        for (Thread thread : waiting) {
            thread.join(patience);
        }
        Expect.equal("of 16 threads that await one transfer, those that saw it succeed", 16, succeeded.get());
    }

    @RuleTest("WT-4")
    void wt4_anInterruptedAwaitThrowsAndDisturbsNothing(Rig rig) throws InterruptedException {
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, gate.options()));
        Duration patience = rig.clocks().mustHappen();
        AtomicBoolean threw = new AtomicBoolean();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                transfer.await(patience);
            } catch (InterruptedException asItMust) {
                threw.set(true);
            }
        });
        waiting.interrupt();
        waiting.join(patience);
        Expect.that(threw.get(), "an interrupted await returned, must throw InterruptedException");
        Expect.equal("the transfer after an interrupted await", TransferState.IN_PROGRESS, transfer.state());
        gate.open();
        rig.succeeds(transfer);
    }
}
