package io.weft.tck.rules;

import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Shape;

/** WR-1, WR-2, RD-1, RD-2: which bytes move. */
@RuleSuite
class DataRules {
    private static final int SIZE = 5000;

    @RuleTest(value = "WR-1", everyKind = true)
    void wr1_exactlyTheNamedBytesHoldTheSources(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block before = rig.remote(SIZE);
        Block remote = rig.remote(SIZE);
        Block after = rig.remote(SIZE);
        byte[] source = local.fill(1);
        byte[] lower = before.fill(2);
        byte[] target = remote.fill(3);
        byte[] upper = after.fill(4);
        SegmentTable table =
                SegmentTable.of(new long[] {4000, 10, 1001}, new long[] {0, SIZE - 17, 1001}, new long[] {1000, 17, 1});
        rig.succeeds(write(rig, local, remote, table));
        Expect.sameBytes("the target's region", Moves.written(source, target, table), remote.bytes());
        Expect.sameBytes("a region of the target that was not named", lower, before.bytes());
        Expect.sameBytes("another region of the target that was not named", upper, after.bytes());
    }

    @RuleTest(value = "WR-2", everyKind = true)
    void wr2_anySegmentsMoveAsOneByOne(Rig rig, Shape shape) throws InterruptedException {
        SegmentTable table = shape.table(rig.random());
        Block local = rig.local(Shape.regionBytes(table));
        Block remote = rig.remote(Shape.regionBytes(table));
        byte[] source = local.fill(rig.random().nextLong());
        byte[] target = remote.fill(rig.random().nextLong());
        rig.succeeds(write(rig, local, remote, table));
        Expect.sameBytes("the target's region", Moves.written(source, target, table), remote.bytes());
    }

    @RuleTest(value = "RD-1", everyKind = true)
    void rd1_exactlyTheNamedBytesHoldTheSources(Rig rig) throws InterruptedException {
        Block before = rig.local(SIZE);
        Block local = rig.local(SIZE);
        Block after = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] lower = before.fill(2);
        byte[] target = local.fill(3);
        byte[] upper = after.fill(4);
        byte[] source = remote.fill(1);
        SegmentTable table =
                SegmentTable.of(new long[] {0, SIZE - 17, 1001}, new long[] {4000, 10, 1001}, new long[] {1000, 17, 1});
        rig.succeeds(read(rig, local, remote, table));
        Expect.sameBytes("the initiator's region", Moves.read(target, source, table), local.bytes());
        Expect.sameBytes("a region of the initiator that was not named", lower, before.bytes());
        Expect.sameBytes("another region of the initiator that was not named", upper, after.bytes());
    }

    @RuleTest(value = "RD-2", everyKind = true)
    void rd2_anySegmentsMoveAsOneByOne(Rig rig, Shape shape) throws InterruptedException {
        SegmentTable table = shape.table(rig.random());
        Block local = rig.local(Shape.regionBytes(table));
        Block remote = rig.remote(Shape.regionBytes(table));
        byte[] target = local.fill(rig.random().nextLong());
        byte[] source = remote.fill(rig.random().nextLong());
        rig.succeeds(read(rig, local, remote, table));
        Expect.sameBytes("the initiator's region", Moves.read(target, source, table), local.bytes());
    }

    private static Transfer write(Rig rig, Block local, Block remote, SegmentTable table) {
        try (var session = rig.engine().session(local.region(), remote.descriptor())) {
            return rig.track(session.write(table, TransferOptions.DEFAULT));
        }
    }

    private static Transfer read(Rig rig, Block local, Block remote, SegmentTable table) {
        try (var session = rig.engine().session(local.region(), remote.descriptor())) {
            return rig.track(session.read(table, TransferOptions.DEFAULT));
        }
    }
}
