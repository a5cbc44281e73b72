package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Pattern;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** DL-1 to DL-3: deadline, quiescence, cancel. */
@RuleSuite
class DeadlineRules {
    private static final int SIZE = 2000;

    @RuleTest("DL-1")
    void dl1_aTransferThatIsLostEndsInTime(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        for (Fault fault : List.of(Fault.STALL, Fault.DROP)) {
            faults.plan(FaultPlan.NONE.with(fault, 1));
            endsInTime(
                    rig,
                    "a write whose completion is lost by " + fault,
                    deadline -> rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, deadline));
            endsInTime(
                    rig,
                    "a read whose completion is lost by " + fault,
                    deadline -> rig.engine().read(from.region(), 0, to.descriptor(), 0, SIZE, deadline));
        }
        endsInTime(
                rig,
                "a write whose source never gets ready",
                deadline -> rig.engine()
                        .write(from.region(), 0, to.descriptor(), 0, SIZE, deadline.withReadyWhen(() -> false)));
        faults.plan(FaultPlan.NONE.with(Fault.REFUSE, 1));
        endsInTime(
                rig,
                "a write that gets no credit",
                deadline -> rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, deadline));
        faults.plan(FaultPlan.NONE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }

    @RuleTest(value = "DL-1", topologies = Topology.PROCESS)
    void dl1_aTransferToAStoppedPeerEndsInTime(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        rig.process().stop();
        try {
            endsInTime(
                    rig,
                    "a write to a stopped process",
                    deadline -> rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, deadline));
        } finally {
            rig.process().resume();
        }
    }

    private interface Start {
        Transfer with(TransferOptions deadline);
    }

    private static void endsInTime(Rig rig, String what, Start start) throws InterruptedException {
        Duration deadline = rig.clocks().scaled(Duration.ofMillis(120));
        Duration quiesce = rig.run().facts().capabilities().quiesceTime();
        Duration bound = deadline.plus(quiesce).plus(rig.clocks().scaled(Duration.ofSeconds(3)));
        long began = System.nanoTime();
        Transfer transfer = rig.track(start.with(TransferOptions.DEFAULT.withDeadline(deadline)));
        TransferState state = transfer.await(bound);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Expect.that(
                state.isTerminal(),
                what + " is " + state + " after " + took + "; its deadline was " + deadline + ", the quiesce time is "
                        + quiesce);
        // A read or write of few bytes may be complete before the peer stopped to answer.
        Expect.that(
                state == TransferState.SUCCEEDED || took.compareTo(deadline) >= 0,
                what + " ended after " + took + ", before its deadline of " + deadline + ", with " + transfer.text());
        if (state == TransferState.FAILED) {
            ErrorCode code = transfer.code().orElseThrow();
            Expect.that(
                    code == ErrorCode.DEADLINE_EXCEEDED || code == ErrorCode.PEER_LOST,
                    what + " failed with " + code + ", must be DEADLINE_EXCEEDED");
        }
    }

    @RuleTest("DL-2")
    void dl2_afterTheEndNothingIsReadOrWrittenHere(Rig rig) throws InterruptedException {
        Duration late = rig.clocks().scaled(Duration.ofMillis(150));
        Duration deadline = rig.clocks().scaled(Duration.ofMillis(25));
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        rig.succeeds(rig.write(local, 0, remote, 0, 1));
        for (int round = 0; round < 4; round++) {
            if (round == 2) { // before, whatever is late is the backend's own
                faults.plan(FaultPlan.NONE.with(Fault.DELAY_POST, 1).withLongestDelay(late));
            }
            byte[] old = local.fill(1);
            byte[] target = remote.fill(2);
            Transfer write = rig.track(rig.engine()
                    .write(
                            local.region(),
                            0,
                            remote.descriptor(),
                            0,
                            SIZE,
                            TransferOptions.DEFAULT.withDeadline(deadline)));
            TransferState wrote = rig.end(write);
            local.fill(3 + round); // a source byte that is read from now on is one of these
            LockSupport.parkNanos(late.toNanos());
            byte[] seen = remote.bytes();
            if (wrote == TransferState.SUCCEEDED) {
                Expect.sameBytes("the target of a write that succeeded, after its source changed", old, seen);
                Expect.equal(
                        "remote quiescence of a success",
                        RemoteQuiescence.QUIESCED,
                        write.receipt().orElseThrow().remote());
            } else {
                for (int i = 0; i < SIZE; i++) {
                    Expect.that(
                            seen[i] == old[i] || seen[i] == target[i],
                            "byte " + i + " of the target is " + seen[i]
                                    + ", which was stored into the source after the write was " + wrote);
                }
            }
            readEndsQuietly(rig, local, remote, deadline, late);
        }
    }

    private static void readEndsQuietly(Rig rig, Block local, Block remote, Duration deadline, Duration late)
            throws InterruptedException {
        remote.fill(4);
        local.fill(5);
        Transfer read = rig.track(rig.engine()
                .read(local.region(), 0, remote.descriptor(), 0, SIZE, TransferOptions.DEFAULT.withDeadline(deadline)));
        TransferState state = rig.end(read);
        byte[] mine = Pattern.bytes(6, SIZE);
        local.put(0, mine);
        long changed = local.owner().watch(local.handle(), late.toMillis());
        Expect.that(
                changed < 0, "byte " + changed + " of the local destination was written after the read was " + state);
        Expect.sameBytes("the local destination after the read was " + state, mine, local.bytes());
    }

    @RuleTest("DL-3")
    void dl3_cancelIsIdempotentAndBounded(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer done = rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        done.cancel();
        Expect.equal("a transfer that succeeded and was cancelled afterwards", TransferState.SUCCEEDED, done.state());
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        List<Transfer> stuck = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stuck.add(rig.write(from, 0, to, 0, SIZE));
        }
        Transfer waiting =
                rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, new Gate().options()));
        stuck.add(waiting);
        for (Transfer transfer : stuck) {
            transfer.cancel();
            transfer.cancel();
        }
        for (Transfer transfer : stuck) {
            TransferState state = rig.end(transfer);
            Expect.equal("a transfer that was stuck and cancelled", TransferState.CANCELLED, state);
            Expect.equal("its code", ErrorCode.CANCELLED, transfer.code().orElseThrow());
            transfer.cancel();
            Expect.equal("its state after one more cancel", state, transfer.state());
        }
        faults.plan(FaultPlan.NONE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }
}
