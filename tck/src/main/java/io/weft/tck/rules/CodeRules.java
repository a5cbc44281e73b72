package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.tck.contract.Contract;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** ERR-2, ERR-4: what failures say, in numbers and in words. */
@RuleSuite
class CodeRules {
    private static final int SIZE = 1000;

    @RuleTest(
            value = "ERR-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void err2_codesAreThoseOfTheTableAndTravelAsTheirNumbers(Rig rig) throws InterruptedException {
        List<String> table = Contract.load().codes();
        Expect.equal("codes", table.size(), ErrorCode.values().length);
        for (ErrorCode code : ErrorCode.values()) {
            Expect.equal(
                    "the row of " + code,
                    table.get(code.ordinal()),
                    code.number() + " " + code + " " + code.retry() + " " + code.moriCode());
        }
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        TransferOptions told = TransferOptions.DEFAULT.withNotification(new byte[] {1});
        rig.succeeds(rig.track(rig.engine().write(local.region(), 0, remote.descriptor(), 0, 1, told)));
        Expect.equal("the number of a success", 0, next(rig).code());
        rig.fails(
                "a write that is never ready",
                rig.track(rig.engine()
                        .write(
                                local.region(),
                                0,
                                remote.descriptor(),
                                0,
                                1,
                                told.withReadyWhen(() -> false).withDeadline(Duration.ofMillis(30)))),
                ErrorCode.DEADLINE_EXCEEDED);
        Expect.equal(
                "the number of DEADLINE_EXCEEDED at the target", 8, next(rig).code());
    }

    private static Target.Note next(Rig rig) {
        List<Target.Note> notes = new ArrayList<>();
        rig.clocks().eventually("the target is notified", () -> {
            notes.addAll(rig.target().takeNotifications(1));
            return !notes.isEmpty();
        });
        return notes.getFirst();
    }

    @RuleTest("ERR-4")
    void err4_aFailureNamesPeerBackendAndFinding(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        rig.setup().with("weft.transfer.cancel-grace", Duration.ofMillis(20));
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
        String peer = rig.targetKey();
        String backend = rig.run().config().backend();
        faults.plan(FaultPlan.NONE.with(Fault.FAIL_BEFORE, 1));
        Transfer broken = rig.write(local, 0, remote, 0, SIZE);
        rig.fails("a write that the fabric fails", broken, ErrorCode.FABRIC);
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        Transfer late = rig.track(rig.engine()
                .write(
                        local.region(),
                        0,
                        remote.descriptor(),
                        0,
                        SIZE,
                        TransferOptions.DEFAULT.withDeadline(rig.clocks().scaled(Duration.ofMillis(60)))));
        rig.fails("a write that the fabric stalls", late, ErrorCode.DEADLINE_EXCEEDED);
        faults.plan(FaultPlan.NONE);
        names(broken, "write", peer, backend, "FABRIC");
        names(late, "write", peer, backend, "ms");
        Transfer outside = rig.write(local, 0, remote, SIZE - 1, 2);
        rig.fails("a write outside the region", outside, ErrorCode.INVALID_ARGUMENT);
        names(outside, Integer.toString(SIZE - 1), Integer.toString(SIZE));
        Transfer unknown = rig.track(rig.engine()
                .write(
                        local.region(),
                        0,
                        remote.descriptor().toBuilder()
                                .engineKey("nobody-00000000")
                                .build(),
                        0,
                        1,
                        TransferOptions.DEFAULT));
        rig.fails("a write to an unknown engine", unknown, ErrorCode.NOT_REGISTERED);
        names(unknown, "nobody-00000000", "addPeer"); // what to do
    }

    private static void names(Transfer transfer, String... all) {
        for (String named : all) {
            Expect.that(
                    transfer.text().contains(named),
                    "the text of a transfer that is " + transfer.state() + " with " + transfer.code() + " is '"
                            + transfer.text() + "', must name " + named);
        }
    }
}
