package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.PairTransfer;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** WR-4 to WR-6 and RD-4 to RD-6: what is refused, and what is nothing. */
@RuleSuite
class ArgumentRules {
    private static final int SIZE = 1024;
    private static final long HUGE = Long.MAX_VALUE - 4;

    @RuleTest("WR-4")
    void wr4_overlappingDestinationsAreRefused(Rig rig) throws InterruptedException {
        overlaps(rig, true);
    }

    @RuleTest("RD-4")
    void rd4_overlappingDestinationsAreRefused(Rig rig) throws InterruptedException {
        overlaps(rig, false);
    }

    private static void overlaps(Rig rig, boolean write) throws InterruptedException {
        Map<String, long[][]> overlapping = new LinkedHashMap<>();
        overlapping.put("by a byte", new long[][] {{0, 0, 10}, {500, 9, 10}});
        overlapping.put("wholly", new long[][] {{0, 100, 50}, {500, 110, 5}});
        overlapping.put("exactly", new long[][] {{0, 64, 8}, {8, 64, 8}});
        overlapping.put(
                "far apart in the list", new long[][] {{0, 700, 10}, {20, 0, 10}, {40, 300, 10}, {60, 705, 10}});
        for (Map.Entry<String, long[][]> one : overlapping.entrySet()) {
            // For a read the columns change places, since the destination is local.
            SegmentTable table = write ? table(one.getValue(), 0, 1) : table(one.getValue(), 1, 0);
            refused(rig, write, "destinations that overlap " + one.getKey(), table);
        }
    }

    @RuleTest("WR-5")
    void wr5_badSegmentsAreRefused(Rig rig) throws InterruptedException {
        badSegments(rig, true);
    }

    @RuleTest("RD-5")
    void rd5_badSegmentsAreRefused(Rig rig) throws InterruptedException {
        badSegments(rig, false);
    }

    private static void badSegments(Rig rig, boolean write) throws InterruptedException {
        Map<String, SegmentTable> bad = new LinkedHashMap<>();
        bad.put("arrays of different length", SegmentTable.of(new long[2], new long[3], new long[] {1, 1}));
        bad.put("a range outside the arrays", SegmentTable.of(new long[1], new long[1], new long[] {1}, 0, 2));
        bad.put("a negative local offset", second(-1, 0, 8));
        bad.put("a negative remote offset", second(0, -1, 8));
        bad.put("a negative length", second(0, 0, -1));
        bad.put("a local segment over the end", second(SIZE - 7, 0, 8));
        bad.put("a remote segment over the end", second(0, SIZE - 7, 8));
        bad.put("an overflowing local offset", second(HUGE, 0, 8));
        bad.put("an overflowing remote offset", second(0, HUGE, 8));
        bad.put("an overflowing length", second(1, 1, Long.MAX_VALUE));
        for (Map.Entry<String, SegmentTable> one : bad.entrySet()) {
            refused(rig, write, one.getKey(), one.getValue());
        }
        badSibling(rig, write);
    }

    /** A good segment first, so that a backend that starts before all are checked is found out. */
    private static SegmentTable second(long localOffset, long remoteOffset, long length) {
        return SegmentTable.of(new long[] {512, localOffset}, new long[] {512, remoteOffset}, new long[] {16, length});
    }

    private static void badSibling(Rig rig, boolean write) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block good = rig.remote(SIZE);
        Block small = rig.remote(64);
        byte[] localBytes = local.fill(1);
        byte[] goodBytes = good.fill(2);
        List<SharedSegments> parts = List.of(new SharedSegments(
                List.of(
                        new RegionPair(local.region(), good.descriptor()),
                        new RegionPair(local.region(), small.descriptor())),
                SegmentTable.single(0, 100, 100)));
        Transfer transfer = write
                ? rig.engine().writeMulti(parts, TransferOptions.DEFAULT)
                : rig.engine().readMulti(parts, TransferOptions.DEFAULT);
        rig.fails("a transfer with one pair that is too small", transfer, ErrorCode.INVALID_ARGUMENT);
        Expect.sameBytes("the valid sibling at the target", goodBytes, good.bytes());
        Expect.sameBytes("the valid sibling at the initiator", localBytes, local.bytes());
    }

    private static void refused(Rig rig, boolean write, String what, SegmentTable table) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] localBytes = local.fill(1);
        byte[] remoteBytes = remote.fill(2);
        RegionPair pair = new RegionPair(local.region(), remote.descriptor());
        List<PairTransfer> batch = List.of(new PairTransfer(pair, table));
        Transfer transfer = write
                ? rig.engine().batchWrite(batch, TransferOptions.DEFAULT).getFirst()
                : rig.engine().batchRead(batch, TransferOptions.DEFAULT).getFirst();
        rig.fails("a transfer with " + what, rig.track(transfer), ErrorCode.INVALID_ARGUMENT);
        Expect.sameBytes("the target after " + what, remoteBytes, remote.bytes());
        Expect.sameBytes("the initiator after " + what, localBytes, local.bytes());
    }

    private static SegmentTable table(long[][] rows, int localColumn, int remoteColumn) {
        long[][] columns = new long[3][rows.length];
        for (int i = 0; i < rows.length; i++) {
            columns[0][i] = rows[i][localColumn];
            columns[1][i] = rows[i][remoteColumn];
            columns[2][i] = rows[i][2];
        }
        return SegmentTable.of(columns[0], columns[1], columns[2]);
    }

    @RuleTest("WR-6")
    void wr6_anEmptyWriteSucceedsAndNotifies(Rig rig) throws InterruptedException {
        empty(rig, true);
    }

    @RuleTest("RD-6")
    void rd6_anEmptyReadSucceedsAndNotifies(Rig rig) throws InterruptedException {
        empty(rig, false);
    }

    private static void empty(Rig rig, boolean write) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] localBytes = local.fill(1);
        byte[] remoteBytes = remote.fill(2);
        SegmentTable none = SegmentTable.of(new long[0], new long[0], new long[0]);
        RegionPair pair = new RegionPair(local.region(), remote.descriptor());
        List<PairTransfer> batch = List.of(new PairTransfer(pair, none));
        List<SharedSegments> shared = List.of(new SharedSegments(List.of(pair), none));
        TransferOptions plain = TransferOptions.DEFAULT;
        succeedsAtOnce(
                rig,
                "of no segments",
                write
                        ? rig.engine().batchWrite(batch, plain).getFirst()
                        : rig.engine().batchRead(batch, plain).getFirst());
        succeedsAtOnce(
                rig,
                "of a segment without bytes",
                write
                        ? rig.engine().write(local.region(), 0, remote.descriptor(), 0, 0, plain)
                        : rig.engine().read(local.region(), 0, remote.descriptor(), 0, 0, plain));
        succeedsAtOnce(
                rig,
                "over many pairs of no segments",
                write ? rig.engine().writeMulti(shared, plain) : rig.engine().readMulti(shared, plain));
        TransferOptions notifying = plain.withNotification(new byte[] {7, 8}).withTransferId(4711);
        rig.succeeds(
                write
                        ? rig.engine().writeMulti(shared, notifying)
                        : rig.engine().readMulti(shared, notifying));
        List<Target.Note> notes = new ArrayList<>();
        rig.clocks().eventually("the target is notified of an empty transfer", () -> {
            notes.addAll(rig.target().takeNotifications(10));
            return !notes.isEmpty();
        });
        Expect.equal("notifications of one empty transfer", 1, notes.size());
        Expect.equal("the notified id", 4711L, notes.getFirst().transferId());
        Expect.sameBytes("the payload", new byte[] {7, 8}, notes.getFirst().payload());
        Expect.sameBytes("the initiator", localBytes, local.bytes());
        Expect.sameBytes("the target", remoteBytes, remote.bytes());
    }

    private static void succeedsAtOnce(Rig rig, String what, Transfer transfer) {
        Expect.that(
                rig.track(transfer).state() == TransferState.SUCCEEDED,
                "a transfer " + what + " is " + transfer.state() + " (" + transfer.text()
                        + ") when the call returns, must be SUCCEEDED");
    }
}
