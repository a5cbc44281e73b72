package io.weft.tck.rules;

import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.Profile;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Shape;
import io.weft.testkit.ReferenceModel;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/** WR-10, RD-10: what a transfer that failed may leave behind. */
@RuleSuite
class FailureRules {
    private static final FaultPlan ROUGH = FaultPlan.NONE
            .with(Fault.FAIL_BEFORE, 0.1)
            .with(Fault.FAIL_AFTER, 0.1)
            .with(Fault.DELAY_POST, 0.2)
            .with(Fault.LINK_DOWN, 0.05)
            .withLongestDelay(Duration.ofMillis(1));

    @RuleTest("WR-10")
    void wr10_afterAFailureOnlyNamedBytesMayHaveChanged(Rig rig) throws InterruptedException {
        roughTransfers(rig, true);
    }

    @RuleTest("RD-10")
    void rd10_afterAFailureOnlyNamedBytesMayHaveChanged(Rig rig) throws InterruptedException {
        roughTransfers(rig, false);
    }

    private static void roughTransfers(Rig rig, boolean write) throws InterruptedException {
        var faults = rig.setup().faults(ROUGH);
        rig.setup().with("weft.transfer.piece", "4KiB"); // several operations each, so that some fail in the middle
        Shape shape = new Shape("200 scattered", 200, 1, 120, Shape.Layout.SCATTERED, true);
        Block local = rig.local(40_000);
        Block remote = rig.remote(40_000);
        ReferenceModel model = new ReferenceModel();
        model.region("remote", MemorySegment.ofArray(remote.fill(1)));
        model.region("local", MemorySegment.ofArray(local.fill(2)));
        int failed = 0;
        int tries = rig.run().config().profile() == Profile.QUICK ? 40 : 150;
        for (int i = 0; i < tries || failed == 0; i++) {
            Block source = write ? local : remote;
            model.region(
                    write ? "local" : "remote",
                    MemorySegment.ofArray(source.fill(rig.random().nextLong())));
            SegmentTable table = shape.table(rig.random());
            Transfer transfer = transfer(rig, write, local, remote, table);
            if (i % 7 == 0) {
                transfer.cancel();
            }
            boolean succeeded = rig.end(transfer) == TransferState.SUCCEEDED;
            failed += succeeded ? 0 : 1;
            apply(model, write, table, succeeded);
            check(model, "remote", remote, i, transfer);
            check(model, "local", local, i, transfer);
        }
        Expect.that(
                faults.injected(Fault.FAIL_AFTER) + faults.injected(Fault.FAIL_BEFORE) > 0, "no failure was injected");
    }

    private static Transfer transfer(Rig rig, boolean write, Block local, Block remote, SegmentTable table) {
        TransferOptions options =
                TransferOptions.DEFAULT.withDeadline(rig.clocks().mustHappen().dividedBy(2));
        try (var session = rig.engine().session(local.region(), remote.descriptor())) {
            return rig.track(write ? session.write(table, options) : session.read(table, options));
        }
    }

    private static void apply(ReferenceModel model, boolean write, SegmentTable table, boolean succeeded) {
        for (int i = table.from(); i < table.to(); i++) {
            int local = (int) table.localOffsets()[i];
            int remote = (int) table.remoteOffsets()[i];
            int length = (int) table.lengths()[i];
            String from = write ? "local" : "remote";
            String to = write ? "remote" : "local";
            int fromOffset = write ? local : remote;
            int toOffset = write ? remote : local;
            if (succeeded) {
                model.moved(from, fromOffset, to, toOffset, length);
            } else {
                model.mayHaveMoved(from, fromOffset, to, toOffset, length);
            }
        }
    }

    private static void check(ReferenceModel model, String name, Block block, int round, Transfer transfer) {
        Optional<String> wrong = model.observe(name, MemorySegment.ofArray(block.bytes()));
        Expect.that(
                wrong.isEmpty(),
                "after transfer " + round + ", which is " + transfer.state() + " (" + transfer.text() + "): "
                        + wrong.orElse(""));
    }
}
