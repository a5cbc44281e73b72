package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.spi.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Posting against a fence: what was accepted is completed when the fence returns. */
@Timeout(60)
class FenceRaceTest {
    @RepeatedTest(50)
    void everyAcceptedOperationIsCompletedWhenTheFenceReturns() throws Exception {
        try (FakeEngine a = new FakeEngine("a");
                FakeEngine b = new FakeEngine("b")) {
            Link link = a.backend.connect(a.meet(b), LanesTest.QUIET, System.nanoTime() + 5_000_000_000L);
            Region mine = a.allocate(1 << 20);
            Remote theirs = b.describe(b.allocate(1 << 20));
            List<FakeOperation> accepted = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(1);
            Thread poster = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 100_000; i++) {
                    FakeOperation operation = FakeOperation.write().run(mine, 0, theirs, 0, 1 + i * 7L % (1 << 20));
                    int answer = link.post(operation);
                    begun.countDown();
                    if (answer == Link.ACCEPTED) {
                        accepted.add(operation);
                    } else if (answer != Link.WOULD_BLOCK) {
                        return;
                    }
                }
            });
            begun.await();

            assertThat(link.fence(System.nanoTime() + 5_000_000_000L)).isTrue();

            poster.join();
            assertThat(accepted)
                    .allSatisfy(o -> assertThat(a.completions.of(o.token())).isDone());
            assertThat(a.completions.twice).hasValue(0);
        }
    }
}
