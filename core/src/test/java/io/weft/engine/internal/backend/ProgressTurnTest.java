package io.weft.engine.internal.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Transfer;
import io.weft.api.TransferState;
import io.weft.engine.internal.backend.PolledQueue.Awaited;
import io.weft.spi.ProgressModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ParameterizedClass
@EnumSource(
        value = ProgressModel.class,
        names = {"POLLABLE", "POLL_ONLY"})
class ProgressTurnTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final PolledQueue source;

    ProgressTurnTest(ProgressModel model) {
        source = new PolledQueue(model);
    }

    @AfterEach
    void stop() {
        source.stuck.set(false);
        source.thread.stop();
        assertThat(source.thread.join(TimeUnit.SECONDS.toNanos(30))).isTrue();
        assertThat(source.collisions).as("polls at the same time").hasValue(0);
    }

    /** Until this thread has polled itself; it asks for the turn, but when it gets it is the scheduler's. */
    private void takeTheTurn() throws InterruptedException {
        while (!source.pollers.contains(Thread.currentThread())) {
            assertThat(source.post().await(LONG)).isEqualTo(TransferState.SUCCEEDED);
        }
    }

    @Test
    void aThreadThatAwaitsPollsItself() throws InterruptedException {
        takeTheTurn();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyAwaitingThreadsShareTheTurn(boolean virtual) throws Exception {
        List<Future<Boolean>> ends = new ArrayList<>();
        try (ExecutorService threads =
                virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                ends.add(threads.submit(transfers(500)));
            }
            takeTheTurn();
            for (Future<Boolean> end : ends) {
                assertThat(end.get()).isTrue();
            }
        }
        assertThat(source.pollers).noneMatch(Thread::isVirtual);
    }

    private Callable<Boolean> transfers(int count) {
        return () -> {
            for (int i = 0; i < count; i++) {
                if (source.post().await(LONG) != TransferState.SUCCEEDED) {
                    return false;
                }
            }
            return true;
        };
    }

    @Test
    void whatAnAwaitingThreadLeavesIsPolledOn() throws Exception {
        takeTheTurn();
        source.held.set(true);
        Awaited transfer = source.post();
        assertThat(transfer.await(Duration.ofMillis(3))).isEqualTo(TransferState.IN_PROGRESS);
        CompletableFuture<Transfer> end = transfer.toFuture();
        source.held.set(false);
        assertThat(end.get().state()).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void aTransferThatNobodyAwaitsEndsToo() throws InterruptedException {
        takeTheTurn();
        Awaited transfer = source.post();
        while (!transfer.state().isTerminal()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aCallbackNeedsNoAwaitingThread() throws Exception {
        for (int i = 0; i < 100; i++) {
            takeTheTurn();
            source.pollers.clear();
            assertThat(source.post().toFuture().get().state()).isEqualTo(TransferState.SUCCEEDED);
        }
    }

    @Test
    void anInterruptEndsTheAwaitAndNotTheTransfer() throws Exception {
        takeTheTurn();
        source.held.set(true);
        Awaited transfer = source.post();
        Thread waiter = Thread.currentThread();
        long before = source.polls.get();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            while (source.polls.get() < before + 3) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
        });
        assertThatThrownBy(() -> transfer.await(LONG)).isInstanceOf(InterruptedException.class);
        interrupter.join();
        CompletableFuture<Transfer> end = transfer.toFuture();
        source.held.set(false);
        assertThat(end.get().state()).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void aDefectOfTheBackendCostsNoTransfer() throws InterruptedException {
        takeTheTurn();
        source.failures.set(2);
        assertThat(source.post().await(LONG)).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void nobodyPollsOnceTheSourceIsStopped() throws Exception {
        takeTheTurn();
        source.held.set(true);
        Awaited transfer = source.post();
        CompletableFuture<TransferState> end = new CompletableFuture<>();
        Thread waiter = Thread.ofPlatform().start(() -> awaitInto(transfer, end));
        while (!source.pollers.contains(waiter) && waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        source.thread.stop();
        assertThat(source.thread.join(TimeUnit.SECONDS.toNanos(30))).isTrue();
        long polls = source.polls.get();
        assertThat(source.post().await(Duration.ofMillis(2))).isEqualTo(TransferState.IN_PROGRESS);
        assertThat(source.polls).hasValue(polls);
        transfer.succeed();
        assertThat(end.get()).isEqualTo(TransferState.SUCCEEDED);
    }

    @Test
    void aPollThatDoesNotComeBackKeepsTheSourceFromEnding() throws Exception {
        takeTheTurn();
        source.stuck.set(true);
        CompletableFuture<TransferState> end = new CompletableFuture<>();
        Awaited transfer = source.post();
        long polls = source.polls.get();
        Thread.ofPlatform().start(() -> awaitInto(transfer, end));
        while (source.polls.get() == polls) {
            Thread.onSpinWait();
        }
        source.thread.stop();
        assertThat(source.thread.join(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
        source.stuck.set(false);
        assertThat(source.thread.join(TimeUnit.SECONDS.toNanos(30))).isTrue();
        transfer.succeed();
        end.get();
    }

    private static void awaitInto(Transfer transfer, CompletableFuture<TransferState> end) {
        try {
            end.complete(transfer.await(LONG));
        } catch (InterruptedException unexpected) {
            end.completeExceptionally(unexpected);
        }
    }
}
