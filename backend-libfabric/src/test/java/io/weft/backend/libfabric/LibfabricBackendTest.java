package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedCompletions.Completion;
import io.weft.testkit.lone.RecordedLink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two backends in one process over providers that need no hardware. */
@ParameterizedClass
@ValueSource(strings = {"tcp", "shm"})
@Timeout(120)
class LibfabricBackendTest {
    /** Another libfabric than the installed one, to test against other versions; a file or directory. */
    static final String LIBRARY = System.getProperty("weft.test.libfabric", "");

    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());

    @Parameter
    String provider;

    private LonePair pair;

    @BeforeEach
    void open() {
        OfiLoader.Loaded loaded = OfiLoader.load(LIBRARY);
        Assumptions.assumeTrue(
                loaded.ofi().isPresent(),
                "libfabric.so.1 is not installed (apt-get install libfabric1): " + loaded.firstFailure());
        pair = new LonePair(new LibfabricProvider(), options(provider));
    }

    @AfterEach
    void close() throws Exception {
        if (pair != null) {
            pair.close();
        }
    }

    private static Map<String, String> options(String provider) {
        return Map.of("library", LIBRARY, "provider", provider);
    }

    @Test
    void movesExactlyTheNamedBytesBothWays() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 20);
        LonePair.Memory target = pair.memory(pair.right(), 1 << 20);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), target);
        Link link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        Random random = new Random(SEED);
        for (int round = 0; round < 40; round++) {
            OperationKind kind = round % 2 == 0 ? OperationKind.WRITE : OperationKind.READ;
            fill(source, random);
            fill(target, random);
            long[][] segments = segments(random, 1 << 20);
            byte[] expected =
                    (kind == OperationKind.WRITE ? target : source).bytes().toArray(ValueLayout.JAVA_BYTE);
            byte[] from =
                    (kind == OperationKind.WRITE ? source : target).bytes().toArray(ValueLayout.JAVA_BYTE);
            for (long[] s : segments) {
                int at = (int) (kind == OperationKind.WRITE ? s[1] : s[0]);
                int of = (int) (kind == OperationKind.WRITE ? s[0] : s[1]);
                System.arraycopy(from, of, expected, at, (int) s[2]);
            }

            Completion end = pair.run(pair.left(), link, kind, source, remote, segments);

            assertThat(end.code()).as("seed %d round %d", SEED, round).isZero();
            assertThat((kind == OperationKind.WRITE ? target : source).bytes().toArray(ValueLayout.JAVA_BYTE))
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(expected);
            assertThat((kind == OperationKind.WRITE ? source : target).bytes().toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(from);
        }
    }

    @Test
    void completesEveryTokenOnceUnderAFullQueue() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 20);
        LonePair.Memory target = pair.memory(pair.right(), 1 << 20);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), target);
        RecordedLink events = new RecordedLink();
        Link link = pair.connect(pair.left(), pair.right(), events);
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            tokens.add(pair.post(link, OperationKind.WRITE, source, remote, new long[] {0, i * 64L, 32}, new long[] {
                512, 64_000 + i * 64L, 32
            }));
        }
        for (long token : tokens) {
            pair.left().completions().await(token, LonePair.PATIENCE);
            assertThat(pair.left().completions().of(token)).hasSize(1);
        }
    }

    @Test
    void aFullLinkBecomesWritableAgain() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 20);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), pair.memory(pair.right(), 1 << 20));
        RecordedLink events = new RecordedLink();
        Link link = pair.connect(pair.left(), pair.right(), events);
        int accepted = 0;
        while (link.post(new CopiedOperation(
                        1000 + accepted, OperationKind.WRITE, source.local(), remote, new long[] {0, 0, 1 << 20}))
                == Link.ACCEPTED) {
            accepted++;
        }
        for (int i = 0; i < accepted; i++) {
            assertThat(pair.left()
                            .completions()
                            .await(1000 + i, LonePair.PATIENCE)
                            .code())
                    .isZero();
        }
        assertThat(accepted).isPositive();
        Awaitility.await().atMost(LonePair.PATIENCE).until(() -> events.writableCalls() > 0);
        assertThat(events.down()).isNull();
    }

    @Test
    void aFencedLinkHasCompletedEverythingAndTakesNothing() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 4 << 20);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), pair.memory(pair.right(), 4 << 20));
        Link link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tokens.add(pair.post(link, OperationKind.WRITE, source, remote, new long[] {0, 0, 4 << 20}));
        }

        assertThat(link.fence(LonePair.deadline())).isTrue();

        for (long token : tokens) {
            assertThat(pair.left().completions().of(token)).hasSize(1);
        }
        assertThat(link.post(
                        new CopiedOperation(9999, OperationKind.WRITE, source.local(), remote, new long[] {0, 0, 8})))
                .isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(link.fence(LonePair.deadline())).isTrue();
        Link next = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(pair.run(pair.left(), next, OperationKind.WRITE, source, remote, new long[] {0, 0, 8})
                        .code())
                .isZero();
    }

    @Test
    void afterTheTargetsFenceNothingOfThatPeerLandsAndOthersGoOn() throws Exception {
        LoneContext third = pair.context("third", options(provider));
        LonePair.Memory source = pair.memory(pair.left(), 8 << 20);
        LonePair.Memory others = pair.memory(third, 1 << 16);
        LonePair.Memory target = pair.memory(pair.right(), 8 << 20);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), target);
        RemoteMemory thirds = pair.imported(third, pair.right(), target);
        Link link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        Link innocent = pair.connect(third, pair.right(), new RecordedLink());
        source.bytes().fill((byte) 1);
        others.bytes().fill((byte) 2);
        for (int i = 0; i < 4; i++) {
            pair.post(link, OperationKind.WRITE, source, remote, new long[] {0, 0, 8 << 20});
        }

        assertThat(pair.right().backend().fencePeer(pair.right().peer(pair.left()), LonePair.deadline()))
                .isTrue();
        target.bytes().fill((byte) 7);
        assertThat(pair.run(third, innocent, OperationKind.WRITE, others, thirds, new long[] {0, 0, 1 << 16})
                        .code())
                .isZero();
        assertThat(link.fence(LonePair.deadline())).isTrue();

        assertThat(target.bytes().asSlice(0, 1 << 16).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(2);
        assertThat(target.bytes().asSlice(1 << 16).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(7);
        Link next = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(pair.run(pair.left(), next, OperationKind.WRITE, source, remote, new long[] {0, 0, 8})
                        .code())
                .isZero();
    }

    @Test
    void anIdleLinkGoesDownWhenTheTargetFencesItAndANewOneWorks() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 16);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), pair.memory(pair.right(), 1 << 16));
        for (int round = 0; round < 5; round++) {
            RecordedLink events = new RecordedLink();
            Link link = pair.connect(pair.left(), pair.right(), events);
            assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remote, new long[] {0, 0, 1 << 16})
                            .code())
                    .isZero();

            assertThat(pair.right().backend().fencePeer(pair.right().peer(pair.left()), LonePair.deadline()))
                    .isTrue();

            Awaitility.await().atMost(LonePair.PATIENCE).until(() -> events.down() != null);
            assertThat(link.post(new CopiedOperation(
                            9999, OperationKind.WRITE, source.local(), remote, new long[] {0, 0, 8})))
                    .isEqualTo(ErrorCode.PEER_LOST.number());
            link.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void aFenceThatComesLateCostsTheNextLinkAnotherEndpoint(int fences) throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 16);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), pair.memory(pair.right(), 1 << 16));
        FencingPeer peer = new FencingPeer(
                pair.left().peer(pair.right()),
                () -> pair.right().backend().fencePeer(pair.right().peer(pair.left()), LonePair.deadline()),
                new AtomicInteger(fences));

        if (fences > 1) {
            assertThatThrownBy(() -> pair.left().backend().connect(peer, new RecordedLink(), LonePair.deadline()))
                    .isInstanceOfSatisfying(
                            WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE))
                    .hasMessageContaining("the target closed the endpoint");
        } else {
            Link link = pair.left().backend().connect(peer, new RecordedLink(), LonePair.deadline());
            assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remote, new long[] {0, 0, 1 << 16})
                            .code())
                    .isZero();
        }
    }

    @Test
    void transfersToItself() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 16);
        LonePair.Memory target = pair.memory(pair.left(), 1 << 16);
        source.bytes().fill((byte) 3);
        RemoteMemory remote = pair.imported(pair.left(), pair.left(), target);
        Link link = pair.connect(pair.left(), pair.left(), new RecordedLink());

        assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remote, new long[] {0, 1, 65_535})
                        .code())
                .isZero();
        assertThat(target.bytes().asSlice(1).toArray(ValueLayout.JAVA_BYTE)).containsOnly(3);
        assertThat(target.bytes().get(ValueLayout.JAVA_BYTE, 0)).isZero();
    }

    @Test
    void anotherProviderOnTheOtherSideIsRefusedByName() {
        LoneContext other = pair.context("other", options(provider.equals("tcp") ? "shm" : "tcp"));

        assertThatThrownBy(() -> pair.connect(pair.left(), other, new RecordedLink()))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE))
                .hasMessageContaining("tcp")
                .hasMessageContaining("shm");
    }

    @Test
    void leavesNothingBehind() throws Exception {
        LonePair.Memory source = pair.memory(pair.left(), 1 << 16);
        LonePair.Memory target = pair.memory(pair.right(), 1 << 16);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), target);
        long descriptors = 0;
        for (int i = 0; i < 60; i++) {
            try (Link link = pair.connect(pair.left(), pair.right(), new RecordedLink())) {
                assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remote, new long[] {0, 0, 64})
                                .code())
                        .isZero();
            }
            if (i == 20) {
                descriptors = descriptors();
            }
        }
        assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 4);
        pair.close();
        pair = null;
        assertThat(shmFiles()).isEmpty();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /** Names of this process's segments; an older one may have had its number and left some. */
    private static List<String> shmFiles() throws IOException {
        Pattern own = Pattern.compile("(.*\\D)?" + ProcessHandle.current().pid() + ":.*");
        Instant start = ProcessHandle.current().info().startInstant().orElseThrow();
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (own.matcher(name).matches()
                        && Files.getLastModifiedTime(file).toInstant().isAfter(start)) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static void fill(LonePair.Memory memory, Random random) {
        byte[] bytes = new byte[(int) memory.bytes().byteSize()];
        random.nextBytes(bytes);
        memory.bytes().copyFrom(MemorySegment.ofArray(bytes));
    }

    /** Sorted by remote offset, not overlapping on either side. */
    private static long[][] segments(Random random, int size) {
        int count = 1 + random.nextInt(100);
        int cell = size / count;
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        long[][] segments = new long[count][];
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(Math.min(cell, 20_000));
            int slack = cell - length;
            segments[i] = new long[] {
                order.get(i) * (long) cell + random.nextInt(slack + 1),
                i * (long) cell + random.nextInt(slack + 1),
                length
            };
        }
        return segments;
    }
}
