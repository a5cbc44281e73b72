package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several queue pairs to one peer, over the fake library. */
@Timeout(60)
class QueuePairsTest {
    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());
    private static final int PAIRS = 4;
    private static final int DEPTH = 32;
    /** One write, and the read that flushes it. */
    private static final int REQUESTS = 2;

    private static final int PIECE = 1000;
    private static final int MOST = 64;
    private static final int BYTES = MOST * PIECE;

    @TempDir
    static Path directory;

    private static FakeVerbs fake;
    private final RecordedLink events = new RecordedLink();
    private LonePair pair;
    private LonePair.Memory source;
    private LonePair.Memory target;
    private RemoteMemory remote;
    private Link link;
    private int objectsBefore;

    @BeforeAll
    static void build() throws Exception {
        fake = FakeVerbs.in(directory);
    }

    @BeforeEach
    void open() {
        pair = new LonePair(
                new RdmaProvider(),
                Map.of(
                        "library", fake.path(),
                        "qp-per-peer", Integer.toString(PAIRS),
                        "depth", Integer.toString(DEPTH)));
        source = pair.memory(pair.left(), BYTES);
        target = pair.memory(pair.right(), BYTES);
        remote = pair.imported(pair.left(), pair.right(), target);
        Random random = new Random(SEED);
        for (int i = 0; i < BYTES; i++) {
            source.bytes().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        objectsBefore = fake.objects();
        link = pair.connect(pair.left(), pair.right(), events);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        fake.release();
        pair.close();
        assertThat(fake.overruns()).isZero();
        assertThat(fake.objects()).isZero();
    }

    private List<Long> postAll(int operations) {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            long at = (long) i * PIECE;
            tokens.add(pair.post(link, OperationKind.WRITE, source, remote, new long[] {at, at, PIECE}));
        }
        return tokens;
    }

    private int codeOf(long token) throws InterruptedException {
        return pair.left().completions().await(token, LonePair.PATIENCE).code();
    }

    @Test
    void eachSideHasOneForEachOfTheOthers() {
        int queueAndLanding = 2;
        assertThat(fake.objects() - objectsBefore).isEqualTo(2 * PAIRS + queueAndLanding);
        assertThat(link.snapshot().lanes()).isEqualTo(PAIRS);
    }

    @Test
    void operationsTakeTurnsUntilEveryQueueIsFull() throws Exception {
        fake.hold();
        List<Long> tokens = postAll(PAIRS * DEPTH / REQUESTS);
        long surplus = 1 << 20;

        assertThat(link.post(new CopiedOperation(
                        surplus, OperationKind.WRITE, source.local(), remote, new long[][] {{0, 0, 1}})))
                .isEqualTo(Link.WOULD_BLOCK);

        fake.release();
        for (long token : tokens) {
            assertThat(codeOf(token)).as("seed %d", SEED).isZero();
        }
        assertThat(source.bytes().mismatch(target.bytes())).as("seed %d", SEED).isEqualTo(-1);
    }

    @Test
    void oneThatFailsEndsAll() throws Exception {
        fake.hold();
        List<Long> tokens = postAll(2 * PAIRS);
        fake.fail(0, 12, 0);

        fake.release();

        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(events.down()).isEqualTo(ErrorCode.PEER_LOST);
        for (long token : tokens) {
            assertThat(codeOf(token)).isIn(0, ErrorCode.PEER_LOST.number());
            assertThat(pair.left().completions().of(token)).hasSize(1);
        }
        link.close();
        link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        for (long token : postAll(2 * PAIRS)) {
            assertThat(codeOf(token)).isZero();
        }
    }

    @Test
    void nothingOfAnyLandsBehindAFenceOfEitherSide() throws Exception {
        fake.hold();
        List<Long> tokens = postAll(2 * PAIRS);
        assertThat(pair.right().backend().fencePeer(pair.right().peer(pair.left()), LonePair.deadline()))
                .isTrue();
        assertThat(link.fence(LonePair.deadline())).isTrue();

        fake.release();

        for (long token : tokens) {
            assertThat(codeOf(token)).isIn(ErrorCode.CANCELLED.number(), ErrorCode.PEER_LOST.number());
        }
        assertThat(target.bytes().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        link.close();
    }
}
