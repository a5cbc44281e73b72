package io.weft.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ReferenceModel;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.RecordedCompletions.Completion;
import io.weft.testkit.lone.RecordedLink;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class FaultyProviderTest {
    private static final int SIZE = 4096;

    private final long seed = FaultyProvider.seed();
    private final FaultyProvider faults = new FaultyProvider(new MemProvider(), seed, FaultPlan.NONE);
    private final AssertingProvider provider = AssertingProvider.of(faults);
    private final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    private final Arena arena = Arena.ofShared();
    private final LoneMemory source = new LoneMemory(1, arena.allocate(SIZE));
    private final LoneMemory destination = new LoneMemory(2, arena.allocate(SIZE));
    private final RecordedLink events = new RecordedLink();
    private final LoneContext left = LoneContext.open(neighbourhood, "left", provider, Map.of());
    private final LoneContext right = LoneContext.open(neighbourhood, "right", provider, Map.of());
    private final LocalMemory local = left.backend().register(source);
    private final RemoteMemory remote = left.backend()
            .importKey(
                    left.peer(right),
                    destination.descriptor("right"),
                    right.backend().exportKey(right.peer(left), right.backend().register(destination)));
    private Link link = left.backend().connect(left.peer(right), events, soon());

    @AfterEach
    void close() {
        left.backend().close();
        right.backend().close();
        Awaitility.await().until(() -> left.liveThreads().isEmpty());
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DELAY_POST", "DELAY_COMPLETION", "REORDER", "FAIL_BEFORE", "FAIL_AFTER"})
    void anAcceptedOperationIsCompletedOnce(Fault fault) throws InterruptedException {
        faults.plan(FaultPlan.NONE.with(fault, 1));
        for (long token = 1; token <= 50; token++) {
            assertThat(post(token, 0, 0, 8)).isEqualTo(Link.ACCEPTED);
        }
        int expected = fault == Fault.FAIL_BEFORE || fault == Fault.FAIL_AFTER ? ErrorCode.FABRIC.number() : 0;
        for (long token = 1; token <= 50; token++) {
            assertThat(await(token).code()).isEqualTo(expected);
        }
        assertThat(faults.injected(fault)).isEqualTo(50);
        provider.assertClean();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DROP", "STALL"})
    void whatIsLostIsCompletedByTheFence(Fault fault) {
        faults.plan(FaultPlan.NONE.with(fault, 1));
        fill(source, 5);
        post(1, 0, 0, 8);
        assertThat(left.completions().of(1)).isEmpty();
        assertThat(link.fence(soon())).isTrue();
        assertThat(left.completions().of(1)).hasSize(1);
        byte moved = destination.bytes().get(ValueLayout.JAVA_BYTE, 0);
        assertThat(moved).isEqualTo((byte) (fault == Fault.DROP ? 5 : 0));
        provider.assertClean();
    }

    @Test
    void aRefusedPostIsFollowedByCredit() {
        faults.plan(FaultPlan.NONE.with(Fault.REFUSE, 1));
        assertThat(post(1, 0, 0, 8)).isEqualTo(Link.WOULD_BLOCK);
        Awaitility.await().until(() -> events.writableCalls() == 1);
        provider.assertClean();
    }

    @Test
    void aLinkThatIsTakenDownCompletesWhatItAccepted() throws InterruptedException {
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        post(1, 0, 0, 8);
        faults.plan(FaultPlan.NONE.with(Fault.LINK_DOWN, 1));
        int second = post(2, 0, 0, 8); // may lose the race against the fault that it brings about
        assertThat(second).isIn(Link.ACCEPTED, ErrorCode.PEER_LOST.number());
        assertThat(events.downLatch().await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(events.down()).isEqualTo(ErrorCode.FABRIC);
        assertThat(await(1).code()).isEqualTo(ErrorCode.PEER_LOST.number());
        if (second == Link.ACCEPTED) {
            assertThat(await(2).code()).isZero();
        } else {
            assertThat(left.completions().of(2)).isEmpty();
        }
        provider.assertClean();
    }

    @Test
    void aDuplicateIsABreachThatTheWrapperSees() {
        faults.plan(FaultPlan.NONE.with(Fault.DUPLICATE, 1));
        post(1, 0, 0, 8);
        assertThat(left.completions().of(1)).hasSize(2);
        assertThat(provider.violations().texts()).singleElement().asString().contains("completed twice");
    }

    @Test
    void memoryStaysLegalUnderMixedFaults() throws InterruptedException {
        faults.plan(FaultPlan.MIXED.with(Fault.DUPLICATE, 0).with(Fault.LINK_DOWN, 0.01));
        SplittableRandom random = new SplittableRandom(seed);
        ReferenceModel model = new ReferenceModel();
        model.region("destination", destination.bytes());
        for (long token = 1; token <= 3000; token++) {
            fill(source, (byte) random.nextInt());
            model.region("source", source.bytes());
            int from = random.nextInt(SIZE - 64);
            int to = random.nextInt(SIZE - 64);
            int length = 1 + random.nextInt(64);
            int result = post(token, from, to, length);
            if (result == ErrorCode.PEER_LOST.number()) {
                link.fence(soon());
                link = left.backend().connect(left.peer(right), new RecordedLink(), soon());
            } else if (result == Link.ACCEPTED) {
                if (await(token).code() == 0) {
                    model.moved("source", from, "destination", to, length);
                } else {
                    model.mayHaveMoved("source", from, "destination", to, length);
                }
            }
            assertThat(model.observe("destination", destination.bytes()))
                    .as("seed %d, operation %d", seed, token)
                    .isEmpty();
        }
        provider.assertClean();
    }

    private int post(long token, long from, long to, long length) {
        return link.post(new CopiedOperation(token, OperationKind.WRITE, local, remote, new long[] {from, to, length}));
    }

    private Completion await(long token) throws InterruptedException {
        return left.completions().await(token, Duration.ofSeconds(10));
    }

    private static void fill(LoneMemory memory, int value) {
        memory.bytes().fill((byte) value);
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(5).toNanos();
    }
}
