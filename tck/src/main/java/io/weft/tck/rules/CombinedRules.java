package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.PairTransfer;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Shape;
import java.util.ArrayList;
import java.util.List;

/** WR-3, WR-8, WR-11 and RD-3, RD-8, RD-11: merged segments, batches, and many pairs in one transfer. */
@RuleSuite
class CombinedRules {
    private static final int SIZE = 6000;
    private static final int PAIRS = 4;

    @RuleTest(value = "WR-3", everyKind = true)
    void wr3_mergingDoesNotChangeTheBytes(Rig rig) throws InterruptedException {
        merging(rig, true);
    }

    @RuleTest(value = "RD-3", everyKind = true)
    void rd3_mergingDoesNotChangeTheBytes(Rig rig) throws InterruptedException {
        merging(rig, false);
    }

    /** Neighbours at both sides, at one side only, and none, in random order. */
    private static void merging(Rig rig, boolean write) throws InterruptedException {
        long[] local = new long[40];
        long[] remote = new long[40];
        long[] lengths = new long[40];
        for (int i = 0; i < 40; i++) {
            int slot = (i * 17) % 40;
            lengths[i] = 100;
            local[i] = slot * 100L;
            remote[i] = slot < 20 ? 500 + slot * 100L : 500 + (39 - (slot - 20)) * 100L;
        }
        SegmentTable table = SegmentTable.of(local, remote, lengths);
        move(rig, write, List.of(rig.local(SIZE)), List.of(rig.remote(SIZE)), table);
    }

    @RuleTest("WR-11")
    void wr11_oneTransferOverManyPairsEqualsThemOneByOne(Rig rig) throws InterruptedException {
        manyPairs(rig, true);
    }

    @RuleTest("RD-11")
    void rd11_oneTransferOverManyPairsEqualsThemOneByOne(Rig rig) throws InterruptedException {
        manyPairs(rig, false);
    }

    private static void manyPairs(Rig rig, boolean write) throws InterruptedException {
        SegmentTable table = new Shape("30 scattered", 30, 1, 100, Shape.Layout.SCATTERED, true).table(rig.random());
        List<Block> local = new ArrayList<>();
        List<Block> remote = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            local.add(rig.local(SIZE));
            remote.add(rig.remote(SIZE));
        }
        move(rig, write, local, remote, table);
    }

    private static void move(Rig rig, boolean write, List<Block> local, List<Block> remote, SegmentTable table)
            throws InterruptedException {
        List<RegionPair> pairs = new ArrayList<>();
        List<byte[]> near = new ArrayList<>();
        List<byte[]> far = new ArrayList<>();
        for (int i = 0; i < local.size(); i++) {
            pairs.add(new RegionPair(local.get(i).region(), remote.get(i).descriptor()));
            near.add(local.get(i).fill(rig.random().nextLong()));
            far.add(remote.get(i).fill(rig.random().nextLong()));
        }
        List<SharedSegments> parts = List.of(new SharedSegments(pairs, table));
        Transfer transfer = write
                ? rig.engine().writeMulti(parts, TransferOptions.DEFAULT)
                : rig.engine().readMulti(parts, TransferOptions.DEFAULT);
        rig.succeeds(rig.track(transfer));
        for (int i = 0; i < local.size(); i++) {
            byte[] wantedNear = write ? near.get(i) : Moves.read(near.get(i), far.get(i), table);
            byte[] wantedFar = write ? Moves.written(near.get(i), far.get(i), table) : far.get(i);
            Expect.sameBytes(
                    "the initiator's region of pair " + i,
                    wantedNear,
                    local.get(i).bytes());
            Expect.sameBytes(
                    "the target's region of pair " + i, wantedFar, remote.get(i).bytes());
        }
    }

    @RuleTest("WR-8")
    void wr8_oneBadPairLeavesTheOthersToFinish(Rig rig) throws InterruptedException {
        batch(rig, true);
    }

    @RuleTest("RD-8")
    void rd8_oneBadPairLeavesTheOthersToFinish(Rig rig) throws InterruptedException {
        batch(rig, false);
    }

    private static void batch(Rig rig, boolean write) throws InterruptedException {
        List<PairTransfer> batch = new ArrayList<>();
        List<Block> local = new ArrayList<>();
        List<Block> remote = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            local.add(rig.local(SIZE));
            remote.add(rig.remote(SIZE));
            long offset = i == 1 ? SIZE : 0; // the second one is wrong
            batch.add(new PairTransfer(
                    new RegionPair(local.get(i).region(), remote.get(i).descriptor()),
                    SegmentTable.single(0, offset, SIZE - 10)));
        }
        List<byte[]> sources = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            sources.add((write ? local : remote).get(i).fill(i));
        }
        List<Transfer> transfers = write
                ? rig.engine().batchWrite(batch, TransferOptions.DEFAULT)
                : rig.engine().batchRead(batch, TransferOptions.DEFAULT);
        Expect.equal("transfers of a batch of " + PAIRS + " pairs", PAIRS, transfers.size());
        for (int i = 0; i < PAIRS; i++) {
            if (i == 1) {
                rig.fails("the bad one of a batch", rig.track(transfers.get(i)), ErrorCode.INVALID_ARGUMENT);
                continue;
            }
            rig.succeeds(rig.track(transfers.get(i)));
            byte[] seen = (write ? remote : local).get(i).bytes();
            for (int at = 0; at < SIZE - 10; at++) {
                Expect.that(
                        seen[at] == sources.get(i)[at],
                        "byte " + at + " of pair " + i + ", a good one of the batch, did not arrive");
            }
        }
    }
}
