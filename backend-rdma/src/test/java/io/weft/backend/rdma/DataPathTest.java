package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedCompletions.Completion;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole backend over the fake library, on a host without any device. */
@Timeout(60)
class DataPathTest {
    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());
    private static final int BYTES = 1 << 20;
    private static final int DEPTH = 64;
    private static final long FIRST_TOKEN_OF_A_TEST = 1 << 20;

    @TempDir
    static Path directory;

    private static FakeVerbs fake;
    private LonePair pair;
    private LonePair.Memory source;
    private LonePair.Memory target;
    private RemoteMemory remote;
    private final RecordedLink events = new RecordedLink();
    private Link link;

    @BeforeAll
    static void build() throws Exception {
        fake = FakeVerbs.in(directory);
    }

    @BeforeEach
    void open() {
        pair = new LonePair(
                new RdmaProvider(),
                Map.of("library", fake.path(), "qp-per-peer", "1", "depth", Integer.toString(DEPTH), "segments", "32"));
        source = pair.memory(pair.left(), BYTES);
        target = pair.memory(pair.right(), BYTES);
        remote = pair.imported(pair.left(), pair.right(), target);
        link = pair.connect(pair.left(), pair.right(), events);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        fake.release();
        pair.close();
        assertThat(fake.overruns()).isZero();
        assertThat(fake.objects()).isZero();
        assertThat(fake.openContexts()).isZero();
    }

    private static void fill(LonePair.Memory memory, Random random) {
        byte[] content = new byte[BYTES];
        random.nextBytes(content);
        MemorySegment.copy(content, 0, memory.bytes(), ValueLayout.JAVA_BYTE, 0, BYTES);
    }

    /** Pieces that do not touch at the target, from anywhere. */
    private static long[][] scattered(int count, int length) {
        long[][] segments = new long[count][];
        for (int i = 0; i < count; i++) {
            segments[i] = new long[] {(long) (count - 1 - i) * length, i * (length + 64L), length};
        }
        return segments;
    }

    private Completion end(long token) throws InterruptedException {
        return pair.left().completions().await(token, LonePair.PATIENCE);
    }

    private long post(OperationKind kind, long[]... segments) {
        return pair.post(link, kind, source, remote, segments);
    }

    @ParameterizedTest
    @EnumSource(OperationKind.class)
    void movesExactlyTheNamedBytes(OperationKind kind) throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 30; round++) {
            fill(source, random);
            fill(target, random);
            int count = 1 + random.nextInt(32);
            int length = 1 + random.nextInt(BYTES / 32 - 64);
            long[][] segments = round % 3 == 0
                    ? new long[][] {{random.nextInt(100), 0, length}, {4_000_00, length, 77}}
                    : scattered(count, length);
            byte[] from =
                    (kind == OperationKind.WRITE ? source : target).bytes().toArray(ValueLayout.JAVA_BYTE);
            byte[] expected =
                    (kind == OperationKind.WRITE ? target : source).bytes().toArray(ValueLayout.JAVA_BYTE);
            for (long[] s : segments) {
                int at = (int) (kind == OperationKind.WRITE ? s[1] : s[0]);
                int of = (int) (kind == OperationKind.WRITE ? s[0] : s[1]);
                System.arraycopy(from, of, expected, at, (int) s[2]);
            }

            assertThat(end(post(kind, segments)).code()).as("seed %d", SEED).isZero();

            assertThat((kind == OperationKind.WRITE ? target : source).bytes().toArray(ValueLayout.JAVA_BYTE))
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(expected);
        }
    }

    @Test
    void neighboursAtTheTargetShareARequestAndAnOperationIsOneDoorbell() throws Exception {
        int doorbells = fake.doorbells();
        int posted = fake.posted();

        end(post(OperationKind.WRITE, new long[] {0, 0, 100}, new long[] {500, 100, 100}, new long[] {900, 200, 100}));

        assertThat(fake.doorbells() - doorbells).isEqualTo(1);
        assertThat(fake.posted() - posted)
                .as("the write and the read that flushes it")
                .isEqualTo(2);
    }

    /** As core cuts it: in operations of at most the backend's segments. */
    @Test
    void scattered128PagesOf4KiBTakeAtMostFourDoorbells() throws Exception {
        int most = pair.context("defaults", Map.of("library", fake.path()))
                .backend()
                .limits()
                .segmentsPerOperation();
        assertThat((128 + most - 1) / most)
                .as("operations of %d segments", most)
                .isLessThanOrEqualTo(4);
        long[][] pages = scattered(128, 4096);
        int doorbells = fake.doorbells();
        List<Long> tokens = new ArrayList<>();
        for (int from = 0; from < pages.length; from += 32) {
            tokens.add(post(OperationKind.WRITE, Arrays.copyOfRange(pages, from, from + 32)));
        }
        for (long token : tokens) {
            assertThat(end(token).code()).isZero();
        }
        assertThat(fake.doorbells() - doorbells).isEqualTo(4);
    }

    @Test
    void aFullSendQueueIsWouldBlockAndNeverAFailure() throws Exception {
        fake.hold();
        List<Long> accepted = new ArrayList<>();
        int answer = Link.ACCEPTED;
        while (answer == Link.ACCEPTED) {
            assertThat(accepted).hasSizeLessThan(DEPTH);
            long token = FIRST_TOKEN_OF_A_TEST + accepted.size();
            answer = link.post(
                    new CopiedOperation(token, OperationKind.WRITE, source.local(), remote, scattered(7, 100)));
            if (answer == Link.ACCEPTED) {
                accepted.add(token);
            }
        }

        assertThat(answer).isEqualTo(Link.WOULD_BLOCK);
        assertThat(accepted)
                .as("operations of 8 requests in a queue of %d", DEPTH)
                .hasSize(DEPTH / 8);
        assertThat(events.down()).isNull();
        fake.release();
        for (long token : accepted) {
            assertThat(end(token).code()).isZero();
        }
        Awaitility.await().until(() -> events.writableCalls() > 0);
        assertThat(end(post(OperationKind.WRITE, scattered(7, 100))).code()).isZero();
    }

    @Test
    void creditComesBackOverManyTurnsOfTheQueue() throws Exception {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 20 * DEPTH; i++) {
            tokens.add(post(i % 3 == 0 ? OperationKind.READ : OperationKind.WRITE, scattered(1 + i % 20, 32)));
        }
        for (long token : tokens) {
            assertThat(end(token).code()).isZero();
            assertThat(pair.left().completions().of(token)).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"12,PEER_LOST", "13,PEER_LOST", "10,REMOTE_ACCESS", "9,REMOTE_ACCESS", "4,FABRIC", "19,FABRIC"})
    void anErrorCompletionEndsItsOperationWithItsCodeAndTheOthersWithTheLinks(int status, ErrorCode code)
            throws Exception {
        fake.hold();
        long first = post(OperationKind.WRITE, scattered(3, 100));
        long second = post(OperationKind.WRITE, scattered(3, 100));
        long third = post(OperationKind.READ, scattered(3, 100));
        fake.fail(5, status, 0x77); // the second request of the second operation

        fake.release();

        assertThat(end(first).code()).isZero();
        assertThat(end(second).code()).isEqualTo(code.number());
        assertThat(pair.left().backend().describeNative(end(second).nativeCode()))
                .contains("IBV_WC_", "0x77");
        assertThat(end(third).code()).isIn(code.number(), ErrorCode.PEER_LOST.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(events.down()).isEqualTo(code);
        assertThat(link.post(new CopiedOperation(
                        FIRST_TOKEN_OF_A_TEST, OperationKind.READ, source.local(), remote, scattered(1, 1))))
                .isEqualTo(ErrorCode.PEER_LOST.number());
        for (long token : new long[] {first, second, third}) {
            assertThat(pair.left().completions().of(token)).hasSize(1);
        }
    }

    @Test
    void aFullQueueInErrorFitsItsCompletionQueue() throws Exception {
        fake.hold();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < DEPTH / 8; i++) {
            tokens.add(post(OperationKind.WRITE, scattered(7, 64)));
        }
        fake.fail(0, 12, 0);
        fake.release();
        for (long token : tokens) {
            assertThat(end(token).code()).isEqualTo(ErrorCode.PEER_LOST.number());
        }
        assertThat(fake.overruns()).isZero();
    }

    @Test
    void aPostThatTheDriverCutsShortEndsTheLinkAndCompletesOnce() throws Exception {
        fake.refusePost(12);
        long token = post(OperationKind.WRITE, scattered(8, 64));

        assertThat(end(token).code()).isEqualTo(ErrorCode.FABRIC.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(pair.left().completions().of(token)).hasSize(1);
    }

    @Test
    void aFenceCompletesWhatIsOnTheWireAndNothingOfItArrivesLater() throws Exception {
        fake.hold();
        List<Long> tokens =
                List.of(post(OperationKind.WRITE, scattered(3, 100)), post(OperationKind.READ, scattered(3, 100)));
        fill(target, new Random(SEED));
        fill(source, new Random(SEED + 1));
        byte[] atTarget = target.bytes().toArray(ValueLayout.JAVA_BYTE);
        byte[] here = source.bytes().toArray(ValueLayout.JAVA_BYTE);

        assertThat(link.fence(LonePair.deadline())).isTrue();
        fake.release();

        for (long token : tokens) {
            assertThat(end(token).code()).isEqualTo(ErrorCode.CANCELLED.number());
        }
        assertThat(target.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(atTarget);
        assertThat(source.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(here);
        link.close();
        Link next = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(pair.run(pair.left(), next, OperationKind.WRITE, source, remote, scattered(3, 100))
                        .code())
                .isZero();
    }

    @Test
    void aCompletionThatNeverComesIsEndedByTheFence() throws Exception {
        fake.lose(1);
        long token = post(OperationKind.WRITE, scattered(3, 100));

        assertThat(link.fence(LonePair.deadline())).isTrue();

        assertThat(end(token).code()).isEqualTo(ErrorCode.CANCELLED.number());
    }

    @Test
    void theTargetsFenceCutsThePeerOff() throws Exception {
        assertThat(pair.right().backend().fencePeer(pair.right().peer(pair.left()), LonePair.deadline()))
                .isTrue();

        assertThat(end(post(OperationKind.WRITE, scattered(3, 100))).code()).isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        link.close();
        link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(end(post(OperationKind.WRITE, scattered(3, 100))).code()).isZero();
    }

    @Test
    void aRegionsRightsAndEndAreKept() throws Exception {
        LonePair.Memory readOnly = pair.memory(pair.right(), 4096, Set.of(Access.REMOTE_READ));
        RemoteMemory remoteReadOnly = pair.imported(pair.left(), pair.right(), readOnly);
        assertThat(pair.run(pair.left(), link, OperationKind.READ, source, remoteReadOnly, scattered(1, 100))
                        .code())
                .isZero();
        assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remoteReadOnly, scattered(1, 100))
                        .code())
                .isEqualTo(ErrorCode.REMOTE_ACCESS.number());
        link.close();
        link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(pair.right().backend().deregister(target.local(), LonePair.deadline()))
                .isTrue();
        assertThat(end(post(OperationKind.WRITE, scattered(1, 100))).code())
                .isEqualTo(ErrorCode.REMOTE_ACCESS.number());
    }

    @Test
    void aPortErrorEndsWhatIsInFlightAndTheLinkMayBeMadeAnew() throws Exception {
        fake.hold();
        long token = post(OperationKind.WRITE, scattered(3, 100));

        fake.async(0, FakeVerbs.PORT_ERR, 1);

        assertThat(end(token).code()).isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        fake.release();
        link.close();
        link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(end(post(OperationKind.WRITE, scattered(3, 100))).code()).isZero();
    }

    @Test
    void anotherPortsErrorIsNothing() throws Exception {
        fake.async(0, FakeVerbs.PORT_ERR, 2);
        assertThat(end(post(OperationKind.WRITE, scattered(3, 100))).code()).isZero();
        assertThat(events.down()).isNull();
    }

    @Test
    void aDeviceThatFailedIsNotUsedAnyMore() throws Exception {
        fake.hold();
        long token = post(OperationKind.WRITE, scattered(3, 100));

        fake.async(0, FakeVerbs.DEVICE_FATAL, 0);

        assertThat(end(token).code()).isEqualTo(ErrorCode.FABRIC.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> pair.connect(pair.left(), pair.right(), new RecordedLink()))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FABRIC))
                .hasMessageContaining("fatal");
    }

    @Test
    void aDeadNetworkIsUnreachableWithTheVerbsStatus() {
        link.close();
        fake.linkDown(0, true);
        assertThatThrownBy(() -> pair.connect(pair.left(), pair.right(), new RecordedLink()))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE))
                .hasMessageContaining("IBV_WC_RETRY_EXC_ERR")
                .hasMessageContaining("gid-index");
    }
}
