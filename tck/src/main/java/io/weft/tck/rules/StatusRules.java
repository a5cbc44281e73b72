package io.weft.tck.rules;

import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** ST: status. */
@RuleSuite
class StatusRules {
    private static final int SIZE = 4096;

    @RuleTest("ST-1")
    void st1_aTerminalStateNeverChanges(Rig rig) throws InterruptedException {
        var faults =
                rig.setup().faults(FaultPlan.NONE.with(Fault.DUPLICATE, 0.5).with(Fault.DELAY_COMPLETION, 0.3));
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Transfer transfer = rig.write(from, 0, to, 0, SIZE);
            if (i % 3 == 0) {
                transfer.cancel();
            }
            transfers.add(transfer);
        }
        List<TransferState> ends = new ArrayList<>();
        for (Transfer transfer : transfers) {
            TransferState state = transfer.state();
            TransferState end = rig.end(transfer);
            Expect.that(!state.isTerminal() || state == end, "a transfer went from " + state + " to " + end);
            ends.add(end);
        }
        faults.plan(FaultPlan.NONE);
        transfers.forEach(Transfer::cancel);
        rig.clocks().throughout(() -> {
            for (int i = 0; i < transfers.size(); i++) {
                Expect.equal(
                        "a transfer that was " + ends.get(i),
                        ends.get(i),
                        transfers.get(i).state());
            }
        });
    }

    @RuleTest("ST-2")
    void st2_callbacksRunExactlyOnce(Rig rig) throws InterruptedException {
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, gate.options()));
        AtomicInteger early = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(3);
        transfer.onCompletion(t -> {
            early.incrementAndGet();
            ran.countDown();
        });
        transfer.onCompletion(t -> {
            throw new IllegalStateException("thrown by the test");
        });
        transfer.onCompletion(t -> {
            early.incrementAndGet();
            ran.countDown();
        });
        Expect.equal("callbacks that ran before the end", 0, early.get());
        gate.open();
        rig.succeeds(transfer);
        transfer.onCompletion(t -> {
            late.incrementAndGet();
            ran.countDown();
        });
        boolean all = ran.await(rig.clocks().mustHappen().toMillis(), TimeUnit.MILLISECONDS);
        Expect.that(
                all,
                "callbacks that ran: " + early.get() + " of 2 registered before the end, " + late.get()
                        + " of 1 registered after it, one of their siblings threw");
        LockSupport.parkNanos(rig.clocks().mustNotHappen().toNanos());
        Expect.equal("runs of two callbacks that were registered before the end", 2, early.get());
        Expect.equal("runs of a callback that was registered after the end", 1, late.get());
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }

    @RuleTest("ST-2")
    void st2_futuresCompleteWithTheTransfer(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer =
                rig.track(rig.engine().write(from.region(), 0, to.descriptor(), SIZE, 1, TransferOptions.DEFAULT));
        var future = transfer.toFuture();
        rig.clocks().eventually("the future of a failed transfer is complete", future::isDone);
        Expect.that(!future.isCompletedExceptionally(), "the future of a failed transfer completed exceptionally");
        Expect.that(future.join() == transfer, "the future completed with another transfer");
    }

    @RuleTest("ST-3")
    void st3_aFailureCarriesCodeTextAndReceipt(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        faults.plan(FaultPlan.NONE.with(Fault.FAIL_BEFORE, 1));
        List<Transfer> failed =
                List.of(rig.write(from, 0, to, 0, SIZE), rig.write(from, -1, to, 0, 1), rig.read(from, 0, to, SIZE, 1));
        for (Transfer transfer : failed) {
            Expect.equal("a transfer that cannot succeed", TransferState.FAILED, rig.end(transfer));
            Expect.that(transfer.code().isPresent(), "a failed transfer has no code");
            Expect.that(!transfer.text().isBlank(), "a transfer that failed with " + transfer.code() + " has no text");
            Expect.that(
                    transfer.receipt().isPresent(),
                    "a transfer that failed with " + transfer.code() + " has no receipt");
        }
    }
}
