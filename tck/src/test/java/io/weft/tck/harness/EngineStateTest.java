package io.weft.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.TransferEngine;
import io.weft.engine.Weft;
import io.weft.testkit.mem.MemProvider;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineStateTest {
    /** Names its frames, as a backend that hangs would. */
    private static void hang(CountDownLatch inside, CountDownLatch end) {
        inside.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aThreadThatHangsComesFirstWithItsStackAndIdleOnesTakeALineEach() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread hangs = Thread.ofPlatform().name("weft-z-hangs").start(() -> hang(inside, end));
        try (TransferEngine engine = Weft.builder()
                .provider(new MemProvider())
                .name("idle")
                .listen("127.0.0.1", 0)
                .open()) {
            inside.await();
            String text = EngineState.describe(engine);
            assertThat(text)
                    .containsSubsequence(
                            "EngineStats", "thread weft-z-hangs", "EngineStateTest.hang", EngineState.IDLE);
            assertThat(text.lines().map(String::strip))
                    .anySatisfy(line -> assertThat(line).startsWith(EngineState.IDLE + "weft-idle-timer"));
            assertThat(text.substring(text.indexOf(EngineState.IDLE)).lines().map(String::strip))
                    .allSatisfy(line -> assertThat(line).startsWith(EngineState.IDLE));
        } finally {
            end.countDown();
            hangs.join();
        }
    }
}
