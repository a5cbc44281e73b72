package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.EngineThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that write, cancel, wait, deregister, remove, fence and close all at once, some of them interrupted. Whatever comes
 * first: transfers end, memory comes free, no call throws but for CLOSED, and the backend is not called once it is closed.
 */
@Timeout(120)
class EngineRacesTest {
    private static final int ROUNDS = 25;
    private static final int STEPS = 30;

    private record Call(int role, int at, Duration patience) {}

    @Test
    void everyCallAgainstEveryOther() throws Exception {
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        System.out.println("EngineRacesTest: -Dweft.test.seed=" + seed);
        Random random = new Random(seed);
        try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
            for (int round = 0; round < ROUNDS; round++) {
                TwoEngines engines = TwoEngines.open();
                Region source = TwoEngines.allocate(engines.a, 1 << 16);
                Region target = TwoEngines.allocate(engines.b, 1 << 16);
                MemoryDescriptor remote = target.descriptor();
                List<Future<?>> running = new ArrayList<>();
                for (int role = 0; role < 6; role++) {
                    Call call = new Call(role, random.nextInt(STEPS), Duration.ofMillis(random.nextInt(3)));
                    running.add(threads.submit(() -> work(engines, source, target, remote, call)));
                }
                for (Future<?> each : running) {
                    each.get(60, TimeUnit.SECONDS);
                }
                engines.close();
            }
        }
    }

    private static void work(TwoEngines engines, Region source, Region target, MemoryDescriptor remote, Call call) {
        for (int i = 0; i < STEPS; i++) {
            if (i % 8 == 1) {
                Thread.currentThread().interrupt();
            }
            if (i == call.at()) {
                disturb(engines, source, target, call);
            }
            Transfer transfer = engines.a.write(
                    source, 0, remote, 0, 1 << 15, TransferOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)));
            if (i % 4 == 0) {
                transfer.cancel();
            }
            assertThat(ends(transfer)).as("%s", transfer).isTrue();
        }
        Thread.interrupted();
    }

    private static void disturb(TwoEngines engines, Region source, Region target, Call call) {
        try {
            switch (call.role()) {
                case 0 -> engines.a.close(call.patience());
                case 1 -> source.deregister(call.patience());
                case 2 -> target.deregister(call.patience());
                case 3 -> {
                    engines.a.removePeer(engines.b.descriptor().key());
                    engines.a.addPeer(engines.b.descriptor());
                }
                case 4 -> engines.b.fenceAll(call.patience());
                default -> engines.b.close(call.patience());
            }
        } catch (WeftException told) {
            assertThat(told.code()).as(told.getMessage()).isEqualTo(ErrorCode.CLOSED);
        }
    }

    private static boolean ends(Transfer transfer) {
        for (int i = 0; i < 2; i++) {
            try {
                return transfer.await(Duration.ofSeconds(20)).isTerminal();
            } catch (InterruptedException once) {
                // the transfer goes on
            }
        }
        return false;
    }

    @Test
    void threadsThatAreNotStartedYetAreNoneToWaitFor() throws InterruptedException {
        EngineThreads threads = new EngineThreads("test");
        Thread unstarted = threads.named("late").newThread(() -> {});
        assertThat(threads.awaitEnd(TimeUnit.MILLISECONDS.toNanos(10))).isEmpty();
        unstarted.start();
        assertThat(unstarted.join(Duration.ofSeconds(10))).isTrue();
    }
}
