package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** CON: concurrency. */
@RuleSuite
class ConcurrencyRules {
    private static final int SIZE = 1 << 16;
    private static final int POSTERS = 3;

    @RuleTest("CON-3")
    void con3_closeAgainstConcurrentPosts(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        List<Transfer> posted = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch warm = new CountDownLatch(POSTERS * 50);
        List<Thread> posters = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
            int offset = i * 4096;
            posters.add(Thread.ofPlatform().name("weft-tck-poster").start(() -> {
                try {
                    Transfer last;
                    do {
                        last = engine.write(
                                from.region(), offset, to.descriptor(), offset, 4096, TransferOptions.DEFAULT);
                        posted.add(last);
                        warm.countDown();
                    } while (last.code().filter(c -> c == ErrorCode.CLOSED).isEmpty());
                } catch (RuntimeException escaped) {
                    thrown.add(escaped);
                }
            }));
        }
        Expect.that(
                warm.await(rig.clocks().mustHappen().toMillis(), TimeUnit.MILLISECONDS), "no transfers were posted");
        Duration timeout = rig.clocks().settle();
        long start = System.nanoTime();
        engine.close(timeout);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Duration bound = timeout.plus(
                        rig.run().facts().capabilities().quiesceTime().multipliedBy(2))
                .plus(rig.clocks().scaled(Duration.ofSeconds(5)));
        Expect.that(took.compareTo(bound) < 0, "close(" + timeout + ") took " + took + ", the bound is " + bound);
        for (Thread poster : posters) {
            poster.join(rig.clocks().mustHappen());
            Expect.that(!poster.isAlive(), "a thread still gets transfers that do not fail with CLOSED after close");
        }
        Expect.that(thrown.isEmpty(), "a post threw " + thrown);
        for (Transfer transfer : List.copyOf(posted)) {
            TransferState state = rig.end(transfer);
            Expect.that(
                    state == TransferState.SUCCEEDED || transfer.code().orElseThrow() == ErrorCode.CLOSED,
                    "a transfer that met close is " + state + " with " + transfer.code() + " (" + transfer.text()
                            + "), must be SUCCEEDED or FAILED with CLOSED");
        }
        engine.close();
        engine.close(Duration.ZERO);
    }
}
