package io.weft.tck.rules;

import io.weft.api.EngineStats;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** LIFE, TIME, OBS: an engine from open to close, standing still, and in numbers. */
@RuleSuite
class LifeRules {
    private static final int SIZE = 2000;

    @RuleTest("LIFE-1")
    void life1_everyCallOnAClosedEngineHasItsStatedResult(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer done = rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        TransferSession session = engine.session(from.region(), to.descriptor());
        engine.close();
        Duration patience = rig.clocks().mustHappen();
        rig.fails("write", rig.write(from, 0, to, 0, 1), ErrorCode.CLOSED);
        rig.fails("read", rig.read(from, 0, to, 0, 1), ErrorCode.CLOSED);
        SegmentTable one = SegmentTable.single(0, 0, 1);
        rig.fails("write on a session", session.write(one, TransferOptions.DEFAULT), ErrorCode.CLOSED);
        rig.fails("read on a session", session.read(one, TransferOptions.DEFAULT), ErrorCode.CLOSED);
        try (Arena arena = Arena.ofShared()) {
            closed("register", () -> engine.register(arena.allocate(64), RegisterOptions.DEFAULT));
        }
        closed("allocate", () -> engine.allocate(MemoryLocation.HOST, 64, RegisterOptions.DEFAULT));
        closed("addPeer", () -> engine.addPeer(engine.descriptor()));
        closed("session", () -> engine.session(from.region(), to.descriptor()).close());
        closed("fence", () -> engine.fence(to.descriptor().engineKey(), patience));
        closed("fenceAll", () -> engine.fenceAll(patience));
        harmless("removePeer", () -> engine.removePeer(to.descriptor().engineKey()));
        harmless("deregister", () -> from.region().deregister(patience));
        harmless("Region.close", () -> from.region().close());
        harmless("TransferSession.close", session::close);
        harmless("Transfer.cancel", done::cancel);
        harmless(
                "descriptor",
                () -> Expect.equal(
                        "the key",
                        from.descriptor().engineKey(),
                        engine.descriptor().key()));
        harmless("stats", () -> Expect.that(engine.stats().succeeded() >= 1, "stats forgot what was done"));
        harmless("peerState", () -> engine.peerState(to.descriptor().engineKey()));
        harmless("explain", () -> engine.explain(to.descriptor().engineKey(), MemoryKind.HOST, MemoryKind.HOST));
        harmless("takeNotifications", () -> engine.takeNotifications(1));
        harmless("takeInbound", () -> engine.takeInbound("nobody", 1));
        harmless(
                "awaitAll",
                () -> Expect.equal(
                        "awaitAll of a success",
                        TransferState.SUCCEEDED,
                        engine.awaitAll(List.of(done), patience).state()));
        harmless("close", engine::close);
    }

    private static void closed(String what, Expect.Action call) throws InterruptedException {
        Expect.refused(what + " on a closed engine", call, ErrorCode.CLOSED);
    }

    private static void harmless(String what, Expect.Action call) throws InterruptedException {
        try {
            call.run();
        } catch (RuntimeException thrown) {
            throw new AssertionError(what + " on a closed engine threw " + thrown, thrown);
        }
    }

    /** Wall-clock jumps cannot be made without rights; that the engine's only clock is monotonic is what this stands on. */
    @RuleTest("TIME-1")
    void time1_anEngineThatStoodStillEndsWhatHasExpiredAndGoesOn(Rig rig) throws InterruptedException {
        AtomicLong skipped = new AtomicLong();
        rig.setup().clock(() -> System.nanoTime() + skipped.get());
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Transfer expires = rig.track(rig.engine()
                .write(
                        from.region(),
                        0,
                        to.descriptor(),
                        0,
                        SIZE,
                        TransferOptions.DEFAULT.withReadyWhen(() -> false).withDeadline(Duration.ofMinutes(2))));
        skipped.addAndGet(Duration.ofMinutes(3).toNanos());
        Transfer after = rig.write(from, 0, to, 0, SIZE);
        Expect.that(
                expires.await(rig.clocks().mustHappen()).isTerminal(),
                "a transfer whose deadline passed while the engine stood still goes on after "
                        + rig.clocks().mustHappen());
        rig.fails("a transfer that expired while the engine stood still", expires, ErrorCode.DEADLINE_EXCEEDED);
        rig.succeeds(after);
        byte[] source = from.fill(9);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Expect.sameBytes("the target of an engine that stood still", source, to.bytes());
        Expect.equal("the peer's state", "UP", rig.here().peerState(rig.targetKey()));
    }

    @RuleTest(value = "TIME-1", topologies = Topology.PROCESS)
    void time1_soDoesAProcessThatWasStopped(Rig rig) {
        Target sleeper = rig.target();
        Sides.introduce(sleeper, rig.here());
        Block theirs = rig.remote(SIZE);
        byte[] mine = rig.here().memory(rig.local(SIZE).handle());
        long patience = rig.clocks().mustHappen().toMillis();
        Expect.equal(
                "a write before",
                "SUCCEEDED",
                sleeper.move(true, theirs.handle(), 0, mine, 0, SIZE, patience).state());
        CompletableFuture<Target.End> across =
                CompletableFuture.supplyAsync(() -> sleeper.move(true, theirs.handle(), 0, mine, 0, SIZE, 200));
        rig.process().stop();
        try {
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(400).toNanos());
        } finally {
            rig.process().resume();
        }
        Target.End end = across.join();
        Expect.that(
                end.state().equals("SUCCEEDED") || end.state().equals("FAILED"),
                "a transfer of a process that was stopped is " + end + ", must have ended");
        rig.clocks()
                .eventually(
                        "a process that was stopped writes again",
                        () -> sleeper.move(true, theirs.handle(), 0, mine, 0, SIZE, patience)
                                .state()
                                .equals("SUCCEEDED"));
    }

    @RuleTest("OBS-1")
    void obs1_theNumbersAddUp(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        EngineStats before = rig.engine().stats();
        for (int i = 0; i < 10; i++) {
            rig.succeeds(rig.write(from, 0, to, 0, 100));
        }
        for (int i = 0; i < 3; i++) {
            rig.fails("a write outside the region", rig.write(from, 0, to, SIZE, 1), ErrorCode.INVALID_ARGUMENT);
        }
        Gate gate = new Gate();
        Transfer cancelled = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, 1, gate.options()));
        Transfer held = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, 1, gate.options()));
        cancelled.cancel();
        rig.end(cancelled);
        rig.clocks()
                .eventually(
                        "one transfer is in flight", () -> rig.engine().stats().inFlight() - before.inFlight() == 1);
        addUp(rig.engine().stats(), "with one transfer in flight");
        gate.open();
        rig.succeeds(held);
        rig.clocks()
                .eventually(
                        "no transfer is in flight", () -> rig.engine().stats().inFlight() - before.inFlight() == 0);
        EngineStats after = rig.engine().stats();
        addUp(after, "at rest");
        Expect.equal("transfers started", 15L, after.started() - before.started());
        Expect.equal("transfers that succeeded", 11L, after.succeeded() - before.succeeded());
        Expect.equal("transfers that failed", 3L, after.failed() - before.failed());
        Expect.equal("transfers that were cancelled", 1L, after.cancelled() - before.cancelled());
        Expect.equal("bytes that moved", 1001L, after.bytes() - before.bytes());
    }

    private static void addUp(EngineStats s, String when) {
        Expect.equal(
                "succeeded + failed + cancelled + in flight " + when,
                s.started(),
                s.succeeded() + s.failed() + s.cancelled() + s.inFlight());
    }
}
