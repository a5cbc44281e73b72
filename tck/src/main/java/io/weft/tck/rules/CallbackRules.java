package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** ST-4, CB-1: handles that nobody holds, and callbacks that do things. */
@RuleSuite
class CallbackRules {
    private static final int SIZE = 4000;

    @RuleTest("ST-4")
    void st4_transfersGoOnWithoutTheirHandles(Rig rig) {
        Block from = rig.local(SIZE);
        byte[] source = from.fill(1);
        Block to = rig.remote(SIZE);
        Gate gate = new Gate();
        for (int i = 0; i < 40; i++) {
            rig.engine().write(from.region(), i * 100L, to.descriptor(), i * 100L, 100, gate.options());
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        // What a collected handle sets off happens on another thread, a while after the collection.
        rig.clocks()
                .throughout(() -> Expect.equal(
                        "of transfers whose handles were dropped, those that were cancelled",
                        0L,
                        rig.engine().stats().cancelled()));
        gate.open();
        rig.clocks()
                .eventually(
                        "the bytes of transfers whose handles were dropped arrive",
                        () -> java.util.Arrays.equals(source, to.bytes()));
    }

    @RuleTest("CB-1")
    void cb1_aCallbackMayWriteCancelAndBlock(Rig rig)
            throws InterruptedException, ExecutionException, TimeoutException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        long patience = rig.clocks().mustHappen().toMillis();
        Gate never = new Gate();
        Transfer other = rig.track(rig.engine().write(from.region(), 0, to.descriptor(), 0, 1, never.options()));
        CompletableFuture<TransferState> written = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();
        Transfer first = rig.write(from, 0, to, 0, SIZE);
        first.onCompletion(ended -> {
            ranOn.complete(Thread.currentThread());
            other.cancel();
            try {
                written.complete(rig.engine()
                        .write(from.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT)
                        .await(rig.clocks().mustHappen()));
            } catch (InterruptedException | RuntimeException failed) {
                written.completeExceptionally(failed);
            }
        });
        rig.succeeds(first);
        Expect.equal(
                "a write that a callback made and awaited",
                TransferState.SUCCEEDED,
                written.get(patience, TimeUnit.MILLISECONDS));
        Expect.equal("a transfer that a callback cancelled", TransferState.CANCELLED, rig.end(other));
        Expect.that(ranOn.join() != caller, "a callback ran on the thread that waits, must be the engine's executor");

        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Transfer blocking = rig.write(from, 0, to, 0, SIZE);
        blocking.onCompletion(ended -> {
            blocked.countDown();
            try {
                release.await(4 * patience, TimeUnit.MILLISECONDS);
            } catch (InterruptedException ended2) {
                Thread.currentThread().interrupt();
            }
        });
        Expect.that(blocked.await(patience, TimeUnit.MILLISECONDS), "the callback was not called");
        // Posts by the engine, not by the rig: a poster that was held up goes on when this test has failed.
        TransferEngine engine = rig.engine();
        CompletableFuture<TransferState> meanwhile = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("weft-tck-poster").start(() -> {
            try {
                TransferState state = TransferState.SUCCEEDED;
                for (int i = 0; i < 20 && state == TransferState.SUCCEEDED; i++) {
                    state = engine.write(from.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT)
                            .await(rig.clocks().mustHappen());
                }
                meanwhile.complete(state);
            } catch (InterruptedException | RuntimeException failed) {
                meanwhile.completeExceptionally(failed);
            }
        });
        try {
            Expect.equal(
                    "transfers while a callback is blocked",
                    TransferState.SUCCEEDED,
                    meanwhile.get(patience, TimeUnit.MILLISECONDS));
        } catch (TimeoutException stuck) {
            throw new AssertionError("transfers do not go on while a callback is blocked", stuck);
        } finally {
            release.countDown();
        }
    }

    @RuleTest("CB-1")
    void cb1_aCallbackMayCloseTheEngine(Rig rig) throws InterruptedException, ExecutionException, TimeoutException {
        EngineTarget other = rig.sides().openHere(rig.setup().spec("closes-itself"));
        Block to = rig.remote(SIZE);
        Sides.introduce(other, rig.target());
        Block from = rig.block(other, rig.permutation().kinds().local(), SIZE, Access.ALL);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        Transfer transfer =
                rig.track(other.engine().write(from.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT));
        transfer.onCompletion(ended -> {
            other.engine().close(rig.clocks().settle());
            closed.complete(true);
        });
        closed.get(rig.clocks().mustHappen().toMillis(), TimeUnit.MILLISECONDS);
        rig.succeeds(transfer);
        rig.fails(
                "a write on an engine that a callback closed",
                other.engine().write(from.region(), 0, to.descriptor(), 0, 1, TransferOptions.DEFAULT),
                ErrorCode.CLOSED);
    }
}
