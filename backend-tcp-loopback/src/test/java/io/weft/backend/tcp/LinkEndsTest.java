package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cancel, fence, refusal, deregistration, loss: what ends, what lives on, and that memory is left alone afterwards. */
@Timeout(60)
class LinkEndsTest implements LinkEvents {
    private static final int BIG = 64 << 20;

    private final AtomicInteger writable = new AtomicInteger();
    private final List<ErrorCode> downs = new ArrayList<>();
    private FakeEngine a;
    private FakeEngine b;
    private Peer toB;
    private Link link;

    @BeforeEach
    void open() {
        a = new FakeEngine("a", "operations", "128");
        b = new FakeEngine("b");
        toB = a.meet(b);
        link = connect();
    }

    private Link connect() {
        return a.backend.connect(toB, this, soon());
    }

    private static long soon() {
        return System.nanoTime() + 5_000_000_000L;
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        assertThat(a.completions.twice).hasValue(0);
    }

    @Override
    public void onWritable() {
        writable.incrementAndGet();
    }

    @Override
    public synchronized void onDown(ErrorCode code, long nativeCode, String text) {
        downs.add(code);
    }

    private synchronized List<ErrorCode> downs() {
        return List.copyOf(downs);
    }

    private FakeOperation post(FakeOperation operation) {
        assertThat(link.post(operation)).isEqualTo(Link.ACCEPTED);
        return operation;
    }

    private int end(FakeOperation operation) throws Exception {
        return a.completions.of(operation.token()).get(20, TimeUnit.SECONDS).code();
    }

    private int run(FakeOperation operation) throws Exception {
        return end(post(operation));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancellingOneOfManyLeavesTheOthersAndTheLink(boolean write) throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        LanesTest.fill(mine.memory(), new Random(1));
        List<FakeOperation> operations = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            FakeOperation operation = write ? FakeOperation.write() : FakeOperation.read();
            operations.add(post(operation.run(mine, i << 20, b.describe(theirs), i << 20, 1 << 20)));
        }

        boolean begun = link.cancel(operations.get(63).token());

        for (FakeOperation operation : operations.subList(0, 63)) {
            assertThat(end(operation)).isZero();
        }
        assertThat(end(operations.get(63))).isEqualTo(begun ? ErrorCode.CANCELLED.number() : 0);
        assertThat(link.cancel(operations.get(63).token())).isFalse();
        assertThat(run(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, 1000)))
                .isZero();
        assertThat(mine.memory().asSlice(0, 63 << 20).mismatch(theirs.memory().asSlice(0, 63 << 20)))
                .isEqualTo(-1);
        assertThat(downs()).isEmpty();
    }

    @Test
    void aRefusalFailsOnlyTheOneOperation() throws Exception {
        Region mine = a.allocate(4 << 20);
        Region theirs = b.allocate(3 << 20);
        Region readOnly = b.register(b.arena.allocate(3 << 20), Access.READ_ONLY);
        Remote remote = b.describe(theirs);
        FakeOperation good = post(FakeOperation.write().run(mine, 0, remote, 0, 3 << 20));

        assertThat(run(FakeOperation.write().run(mine, 0, remote, 1, 3 << 20))).isEqualTo(refused());
        assertThat(run(FakeOperation.read().run(mine, 0, remote, 1, 3 << 20))).isEqualTo(refused());
        assertThat(run(FakeOperation.write().run(mine, 0, b.describe(readOnly), 0, 3 << 20)))
                .isEqualTo(refused());
        FakeOperation unknown = post(FakeOperation.write().run(mine, 0, a.describe(mine), 0, 10));
        assertThat(end(unknown)).isEqualTo(refused());

        long nativeCode = a.completions.of(unknown.token()).get().nativeCode();
        assertThat(a.backend.describeNative(nativeCode)).contains("UNKNOWN_REGION");
        assertThat(end(good)).isZero();
        assertThat(run(FakeOperation.read().run(mine, 0, b.describe(readOnly), 0, 3 << 20)))
                .isZero();
        assertThat(readOnly.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(downs()).isEmpty();
        assertThat(b.count("target.refused")).isGreaterThanOrEqualTo(4);
    }

    private static int refused() {
        return ErrorCode.REMOTE_ACCESS.number();
    }

    @Test
    void afterAFenceTheSourceIsNotReadAnyMore() throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        mine.memory().fill((byte) 1);
        List<FakeOperation> operations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            operations.add(post(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, BIG)));
        }

        assertThat(link.fence(soon())).isTrue();
        mine.memory().fill((byte) 99);

        for (FakeOperation operation : operations) {
            assertThat(a.completions.of(operation.token())).isDone();
            assertThat(end(operation)).isIn(0, ErrorCode.CANCELLED.number());
        }
        assertThat(link.post(operations.getFirst())).isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(link.fence(soon())).isTrue();
        assertThat(b.backend.fencePeer(b.known.get("a"), soon())).isTrue();
        assertThat(holds(theirs.memory(), (byte) 99)).isFalse();
        link = connect();
        assertThat(run(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, 1 << 20)))
                .isZero();
    }

    private static boolean holds(MemorySegment memory, byte sought) {
        for (byte found : memory.toArray(ValueLayout.JAVA_BYTE)) {
            if (found == sought) {
                return true;
            }
        }
        return false;
    }

    @Test
    void afterTheTargetFencedThePeerNothingLands() throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        mine.memory().fill((byte) 1);
        for (int i = 0; i < 8; i++) {
            post(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, BIG));
        }

        assertThat(b.backend.fencePeer(b.known.get("a"), soon())).isTrue();
        theirs.memory().fill((byte) 7);

        await().until(() -> !downs().isEmpty());
        assertThat(downs()).containsExactly(ErrorCode.PEER_LOST);
        assertThat(holds(theirs.memory(), (byte) 1)).isFalse();
        link = connect();
        assertThat(run(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, 1000)))
                .isZero();
    }

    @Test
    void afterDeregistrationNothingLandsAndTheLinkLives() throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        Region other = b.allocate(1000);
        mine.memory().fill((byte) 1);
        FakeOperation big = post(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, BIG));

        assertThat(b.backend.deregister(theirs, soon())).isTrue();
        theirs.memory().fill((byte) 7);

        assertThat(end(big)).isIn(0, refused());
        assertThat(holds(theirs.memory(), (byte) 1)).isFalse();
        assertThat(run(FakeOperation.write().run(mine, 0, b.describe(other), 0, 1000)))
                .isZero();
        assertThat(downs()).isEmpty();
    }

    @Test
    void theLossOfThePeerEndsEverything() throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        List<FakeOperation> operations = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            operations.add(post(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, BIG)));
        }

        b.backend.close(soon());

        for (FakeOperation operation : operations) {
            assertThat(end(operation)).isIn(0, ErrorCode.PEER_LOST.number());
        }
        await().until(() -> downs().equals(List.of(ErrorCode.PEER_LOST)));
    }

    @Test
    void saysWouldBlockAtItsBoundAndWritableAfterwards() throws Exception {
        Region mine = a.allocate(BIG);
        Region theirs = b.allocate(BIG);
        List<FakeOperation> accepted = new ArrayList<>();
        int answer = Link.ACCEPTED;
        while (answer == Link.ACCEPTED) {
            FakeOperation operation = FakeOperation.write().run(mine, 0, b.describe(theirs), 0, BIG / 4);
            answer = link.post(operation);
            if (answer == Link.ACCEPTED) {
                accepted.add(operation);
            }
        }

        assertThat(answer).isEqualTo(Link.WOULD_BLOCK);
        assertThat(accepted).hasSizeGreaterThanOrEqualTo(128);
        await().untilAtomic(writable, org.hamcrest.Matchers.greaterThan(0));
        link.fence(soon());
        for (FakeOperation operation : accepted) {
            assertThat(a.completions.of(operation.token())).isDone();
        }
    }

    @Test
    void connectingAndClosingLeavesNothing() throws Exception {
        Region mine = a.allocate(100_000);
        Region theirs = b.allocate(100_000);
        long before = 0;
        for (int i = 0; i < 200; i++) {
            link.close();
            link = connect();
            assertThat(run(FakeOperation.write().run(mine, 0, b.describe(theirs), 0, 100_000)))
                    .isZero();
            if (i == 20) {
                before = descriptors();
            }
        }
        // The target closes its ends when its reactor sees the resets.
        long bound = before;
        await().untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(bound));
    }

    private static long descriptors() throws java.io.IOException {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(own)) {
            return open.count();
        }
    }
}
