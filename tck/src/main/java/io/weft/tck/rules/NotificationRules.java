package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Pattern;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** NOT and IN: what the target is told. */
@RuleSuite
class NotificationRules {
    private static final int SIZE = 20_000;

    @RuleTest("NOT-1")
    void not1_whoIsNotifiedSeesTheBytesAndOnce(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        List<Target.Note> notes = new ArrayList<>();
        for (int bytes : new int[] {0, 1, 100, 4096, 7, 4096}) {
            byte[] source = local.fill(rig.random().nextLong());
            byte[] payload = Pattern.bytes(bytes, bytes);
            Transfer transfer = notifying(rig, local, remote, payload);
            int before = notes.size();
            rig.clocks().eventually("the target is notified with " + bytes + " bytes", () -> {
                notes.addAll(rig.target().takeNotifications(10));
                return notes.size() > before;
            });
            Expect.sameBytes("the target when it is notified", source, remote.bytes());
            Target.Note note = notes.getLast();
            Expect.sameBytes("the notification's payload", payload, note.payload());
            Expect.equal("the notification's transfer", transfer.id(), note.transferId());
            Expect.equal("the notification's code", 0, note.code());
            Expect.equal("the notification's peer", Sides.key(rig.here()), note.peerKey());
            rig.succeeds(transfer);
        }
        rig.fails(
                "a write with a notification of 4097 bytes",
                notifying(rig, local, remote, new byte[4097]),
                ErrorCode.INVALID_ARGUMENT);
        LockSupport.parkNanos(rig.clocks().mustNotHappen().toNanos());
        notes.addAll(rig.target().takeNotifications(100));
        Expect.equal("notifications of 6 transfers", 6, notes.size());
    }

    @RuleTest("NOT-1")
    void not1_atMostOnceAlsoWhenLinksBreak(Rig rig) throws InterruptedException {
        rig.setup().faults(FaultPlan.NONE.with(Fault.FAIL_AFTER, 0.1).with(Fault.LINK_DOWN, 0.05));
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            transfers.add(notifying(rig, local, remote, new byte[] {(byte) i}));
            rig.end(transfers.getLast());
        }
        Set<Long> told = new HashSet<>();
        long succeeded = transfers.stream()
                .filter(t -> t.state() == TransferState.SUCCEEDED)
                .count();
        List<Target.Note> notes = new ArrayList<>();
        rig.clocks().eventually("every success is told", () -> {
            notes.addAll(rig.target().takeNotifications(100));
            return notes.stream().filter(n -> n.code() == 0).count() >= succeeded;
        });
        LockSupport.parkNanos(rig.clocks().mustNotHappen().toNanos());
        notes.addAll(rig.target().takeNotifications(100));
        for (Target.Note note : notes) {
            Expect.that(told.add(note.transferId()), "transfer " + note.transferId() + " was told twice");
        }
    }

    @RuleTest("NOT-2")
    void not2_aFailureIsToldToAReachableTarget(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
        TransferOptions options = TransferOptions.DEFAULT.withNotification(new byte[] {9});
        Transfer late = rig.track(rig.engine()
                .write(
                        local.region(),
                        0,
                        remote.descriptor(),
                        0,
                        SIZE,
                        options.withReadyWhen(() -> false).withDeadline(Duration.ofMillis(50))));
        rig.fails("a write that is never ready", late, ErrorCode.DEADLINE_EXCEEDED);
        told(rig, late, ErrorCode.DEADLINE_EXCEEDED);
        Transfer cancelled = rig.track(rig.engine()
                .write(local.region(), 0, remote.descriptor(), 0, SIZE, options.withReadyWhen(() -> false)));
        cancelled.cancel();
        rig.end(cancelled);
        told(rig, cancelled, ErrorCode.CANCELLED);
    }

    private static void told(Rig rig, Transfer transfer, ErrorCode code) {
        List<Target.Note> notes = new ArrayList<>();
        rig.clocks().eventually("the target is told that a transfer ended with " + code, () -> {
            notes.addAll(rig.target().takeNotifications(10));
            return !notes.isEmpty();
        });
        Expect.equal(
                "the transfer that is told of", transfer.id(), notes.getFirst().transferId());
        Expect.equal("the code that is told", code.number(), notes.getFirst().code());
    }

    @RuleTest("NOT-3")
    void not3_unreadNotificationsAreBoundedAndCounted(Rig rig) throws InterruptedException {
        rig.setup().with("weft.notifications.limit", "4");
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] source = local.fill(1);
        for (int i = 0; i < 10; i++) {
            rig.succeeds(rig.track(rig.engine()
                    .write(
                            local.region(),
                            i * 100L,
                            remote.descriptor(),
                            i * 100L,
                            100,
                            TransferOptions.DEFAULT.withNotification(new byte[] {(byte) i}))));
        }
        rig.clocks()
                .eventually(
                        "of 10 notifications where 4 are kept, 6 are counted as dropped",
                        () -> rig.target().notificationsDropped() == 6);
        List<Target.Note> kept = rig.target().takeNotifications(100);
        Expect.equal("notifications kept", 4, kept.size());
        for (int i = 0; i < 4; i++) {
            Expect.equal(
                    "payload of notification " + i + " that was kept",
                    (byte) (6 + i),
                    kept.get(i).payload()[0]);
        }
        Expect.sameBytes(
                "the data of all ten",
                java.util.Arrays.copyOf(source, 1000),
                rig.target().get(remote.handle(), 0, 1000));
    }

    @RuleTest("NOT-3")
    void not3_unreadNotificationsAge(Rig rig) throws InterruptedException {
        Duration age = rig.clocks().scaled(Duration.ofMillis(80));
        rig.setup().with("weft.notifications.age", age.toMillis() + "ms");
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        rig.succeeds(notifying(rig, local, remote, new byte[] {1}));
        LockSupport.parkNanos(age.multipliedBy(3).toNanos());
        rig.clocks().eventually("a notification that nobody read in time is counted as dropped", () -> {
            Expect.equal(
                    "notifications older than their age",
                    0,
                    rig.target().takeNotifications(5).size());
            return rig.target().notificationsDropped() == 1;
        });
    }

    @RuleTest("NOT-4")
    void not4_peersThatCannotBeNotifiedStallNothing(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
        // Without the marker in its node id the engine counts as a plain MORI engine, which has no control connection.
        Target other = rig.sides().openThere(rig.setup().spec("plain"));
        EngineDescriptor d = Codec.CORE.unpackEngine(other.descriptor());
        rig.engine().addPeer(new EngineDescriptor(d.key(), "plain-node", d.hostname(), d.host(), d.port(), d.pid()));
        Block there = rig.block(other, rig.permutation().kinds().remote(), SIZE, Access.ALL);
        List<Transfer> toPlain = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            toPlain.add(notifying(rig, local, there, new byte[] {1}));
            rig.succeeds(notifying(rig, local, remote, new byte[] {2}));
        }
        for (Transfer transfer : toPlain) {
            TransferState state = rig.end(transfer);
            Expect.that(
                    state == TransferState.SUCCEEDED || !transfer.text().isBlank(),
                    "a write with a notification to a plain peer is " + state
                            + " without a text, must be a stated error");
        }
    }

    @RuleTest("IN-1")
    void in1_theTargetSeesEachEndOnce(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] source = local.fill(1);
        String here = Sides.key(rig.here());
        long good = rig.engine().nextTransferId();
        rig.succeeds(rig.track(rig.engine()
                .write(local.region(), 0, remote.descriptor(), 0, SIZE, TransferOptions.DEFAULT.withTransferId(good))));
        seenOnce(rig, here, good, 0);
        Expect.sameBytes("the target when it saw the transfer's end", source, remote.bytes());
        long bad = rig.engine().nextTransferId();
        rig.fails(
                "a write that is never ready",
                rig.track(rig.engine()
                        .write(
                                local.region(),
                                0,
                                remote.descriptor(),
                                0,
                                SIZE,
                                TransferOptions.DEFAULT
                                        .withTransferId(bad)
                                        .withReadyWhen(() -> false)
                                        .withDeadline(Duration.ofMillis(50)))),
                ErrorCode.DEADLINE_EXCEEDED);
        seenOnce(rig, here, bad, ErrorCode.DEADLINE_EXCEEDED.number());
    }

    private static void seenOnce(Rig rig, String initiator, long id, int code) {
        List<Target.Inbound> seen = new ArrayList<>();
        rig.clocks().eventually("the target sees the end of transfer " + id, () -> {
            Target.Inbound end = rig.target().takeInbound(initiator, id);
            if (end != null) {
                seen.add(end);
            }
            return end != null;
        });
        Expect.equal("the code of the inbound transfer", code, seen.getFirst().code());
        Expect.equal("its id", id, seen.getFirst().transferId());
        Expect.equal("the same end, taken again", null, rig.target().takeInbound(initiator, id));
    }

    private static Transfer notifying(Rig rig, Block from, Block to, byte[] payload) {
        return rig.track(rig.engine()
                .write(from.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT.withNotification(payload)));
    }
}
