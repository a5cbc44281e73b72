package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.AwaitResult;
import io.weft.api.ErrorCode;
import io.weft.api.Notification;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.testkit.mem.MemProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executors, callbacks and events of applications that do what they should not (rule CB-1): transfers go on. */
@Timeout(60)
class EngineForeignCodeTest {
    private static final int TRANSFERS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static Stream<Named<Executor>> executors() {
        return Stream.of(
                Named.of("runs at once", Runnable::run),
                Named.of("runs twice", task -> {
                    task.run();
                    task.run();
                }),
                Named.of("refuses", task -> {
                    throw new RejectedExecutionException("for the test");
                }),
                Named.of("throws", task -> {
                    throw new IllegalStateException("for the test");
                }),
                Named.of("cannot start threads", task -> {
                    throw new OutOfMemoryError("for the test");
                }));
    }

    private static TransferEngine open(String name, Executor executor) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")))
                .name(name)
                .provider(new MemProvider())
                .executor(executor)
                .open();
    }

    @ParameterizedTest
    @MethodSource("executors")
    void everyCallbackRunsOnceWhateverTheExecutorDoes(Executor executor) throws InterruptedException {
        CountDownLatch called = new CountDownLatch(2 * TRANSFERS);
        AtomicInteger extra = new AtomicInteger();
        try (TransferEngine a = open("a", executor);
                TransferEngine b = open("b", executor)) {
            a.addPeer(b.descriptor());
            b.addPeer(a.descriptor());
            Region source = TwoEngines.allocate(a, 100);
            Region target = TwoEngines.allocate(b, 100);
            b.onNotification(notification -> {
                assertThat(Thread.holdsLock(b)).isFalse();
                count(called, extra);
            });
            TransferOptions notifying = TransferOptions.DEFAULT.withNotification(new byte[1]);
            List<Transfer> transfers = new ArrayList<>();
            for (int i = 0; i < TRANSFERS; i++) {
                Transfer transfer = a.write(source, 0, target.descriptor(), 0, 100, notifying);
                transfer.onCompletion(done -> count(called, extra));
                transfers.add(transfer);
            }

            AwaitResult end = a.awaitAll(transfers, PATIENCE);

            assertThat(end.state()).isEqualTo(TransferState.SUCCEEDED);
            assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(extra).hasValue(0);
    }

    private static void count(CountDownLatch called, AtomicInteger extra) {
        if (called.getCount() == 0) {
            extra.incrementAndGet();
        }
        called.countDown();
    }

    @Test
    void listenersMayAskTheEngineWhileAnotherNotificationArrives() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        try (TransferEngine a = open("a", Runnable::run);
                TransferEngine b = open("b", Runnable::run)) {
            a.addPeer(b.descriptor());
            Region source = TwoEngines.allocate(a, 100);
            Region target = TwoEngines.allocate(b, 100);
            TransferOptions notifying = TransferOptions.DEFAULT.withNotification(new byte[1]);
            a.write(source, 0, target.descriptor(), 0, 100, notifying).await(PATIENCE);
            CountDownLatch taken = new CountDownLatch(1);
            b.onNotification((Notification first) -> {
                // Another thread asks; under the queue's lock it would have to wait for this listener.
                Thread asking = new Thread(() -> {
                    b.takeNotifications(1);
                    taken.countDown();
                });
                asking.start();
                try {
                    if (taken.await(10, TimeUnit.SECONDS)) {
                        both.countDown();
                    }
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            a.write(source, 0, target.descriptor(), 0, 100, notifying).await(PATIENCE);

            assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anEventThatDiesOfAnErrorFailsItsTransferAndNoOther() throws InterruptedException {
        try (TwoEngines engines = TwoEngines.open()) {
            Region source = TwoEngines.allocate(engines.a, 100);
            Region target = TwoEngines.allocate(engines.b, 100);
            Transfer dying = engines.a.write(
                    source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT.withReadyWhen(() -> {
                        throw new StackOverflowError("for the test");
                    }));
            assertThat(dying.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(dying.code()).contains(ErrorCode.DEVICE);
            Transfer next = engines.a.write(
                    source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT.withReadyWhen(() -> true));
            assertThat(next.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        }
    }
}
