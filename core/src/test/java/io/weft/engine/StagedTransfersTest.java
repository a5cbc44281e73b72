package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.PairTransfer;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.RegisterOptions;
import io.weft.api.RoutePolicy;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.Verdict;
import io.weft.api.WeftException;
import io.weft.config.ConfigurationSources;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.device.FakeDeviceMemory;
import io.weft.testkit.device.FakeDeviceProvider;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Device memory over a backend that moves host memory only: the engine stages it (rules DEV-1 to DEV-4). */
@Timeout(60)
class StagedTransfersTest {
    private static final MemoryLocation FAKE = new MemoryLocation(FakeDeviceProvider.KIND, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MIB = 1 << 20;

    private final Random random = new Random(Long.getLong("weft.test.seed", 20_261_202L));
    private final AssertingProvider provider = AssertingProvider.of(new MemProvider());
    private final TransferEngine a = open("a", Map.of());
    private final TransferEngine b = open("b", Map.of());

    StagedTransfersTest() {
        a.addPeer(b.descriptor());
        b.addPeer(a.descriptor());
    }

    private TransferEngine open(String name, Map<String, String> options) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")).withApi(options))
                .name(name)
                .provider(provider)
                .deviceMemory(new FakeDeviceProvider())
                .open();
    }

    @AfterEach
    void close() {
        a.close(Duration.ofSeconds(2));
        b.close(Duration.ofSeconds(2));
        provider.assertClean();
    }

    private static Region allocate(TransferEngine engine, boolean device, int bytes) {
        return engine.allocate(device ? FAKE : MemoryLocation.HOST, bytes, RegisterOptions.DEFAULT);
    }

    private static byte[] get(Region region) {
        return region.segment()
                .map(memory -> memory.toArray(ValueLayout.JAVA_BYTE))
                .orElseGet(() -> FakeDeviceMemory.peek(region.address(), (int) region.length()));
    }

    private static void put(Region region, byte[] content) {
        region.segment()
                .ifPresentOrElse(
                        memory -> MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length),
                        () -> FakeDeviceMemory.poke(region.address(), content));
    }

    private Region filled(TransferEngine engine, boolean device, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        Region region = allocate(engine, device, bytes);
        put(region, content);
        return region;
    }

    static Stream<Arguments> sides() {
        return Stream.of(true, false)
                .flatMap(write -> Stream.of(
                                new boolean[] {true, true}, new boolean[] {true, false}, new boolean[] {false, true})
                        .map(sides -> Arguments.of(write, sides[0], sides[1])));
    }

    @ParameterizedTest(name = "write {0}, local device {1}, remote device {2}")
    @MethodSource("sides")
    void bytesArriveAndTheReceiptSaysHow(boolean write, boolean localDevice, boolean remoteDevice) throws Exception {
        int length = 21 * MIB + 12_345;
        Region local = filled(a, localDevice, length);
        Region remote = filled(b, remoteDevice, length);
        byte[] expected = get(write ? remote : local);
        byte[] source = get(write ? local : remote);
        int localOffset = 7;
        int remoteOffset = 4_099;
        int bytes = length - 5_000;
        System.arraycopy(
                source, write ? localOffset : remoteOffset, expected, write ? remoteOffset : localOffset, bytes);
        Transfer t = write
                ? a.write(local, localOffset, remote.descriptor(), remoteOffset, bytes, TransferOptions.DEFAULT)
                : a.read(local, localOffset, remote.descriptor(), remoteOffset, bytes, TransferOptions.DEFAULT);
        assertThat(t.await(PATIENCE)).as(t.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.mismatch(get(write ? remote : local), expected)).isEqualTo(-1);
        assertThat(Arrays.mismatch(get(write ? local : remote), source)).isEqualTo(-1);
        assertThat(t.receipt().orElseThrow().stagingCopies())
                .isEqualTo(Math.ceilDiv(bytes, MIB / 2) * ((localDevice ? 1 : 0) + (remoteDevice ? 1 : 0)));
        assertThat(t.receipt().orElseThrow().backend()).isEqualTo("mem");
    }

    @ParameterizedTest(name = "write {0}, local device {1}, remote device {2}")
    @MethodSource("sides")
    void scatteredPlacesAreExact(boolean write, boolean localDevice, boolean remoteDevice) throws Exception {
        int count = 10_000;
        int length = count * 64;
        Region local = filled(a, localDevice, length);
        Region remote = filled(b, remoteDevice, length);
        byte[] expected = get(write ? remote : local);
        byte[] source = get(write ? local : remote);
        long[] localOffsets = new long[count];
        long[] remoteOffsets = new long[count];
        long[] lengths = new long[count];
        List<Integer> order = new java.util.ArrayList<>(
                java.util.stream.IntStream.range(0, count).boxed().toList());
        java.util.Collections.shuffle(order, random);
        for (int i = 0; i < count; i++) {
            localOffsets[i] = i * 64L + random.nextInt(3);
            remoteOffsets[i] = order.get(i) * 64L + random.nextInt(3);
            lengths[i] = 1 + random.nextInt(61);
            System.arraycopy(
                    source,
                    (int) (write ? localOffsets[i] : remoteOffsets[i]),
                    expected,
                    (int) (write ? remoteOffsets[i] : localOffsets[i]),
                    (int) lengths[i]);
        }
        List<PairTransfer> batch = List.of(new PairTransfer(
                new RegionPair(local, remote.descriptor()), SegmentTable.of(localOffsets, remoteOffsets, lengths)));
        Transfer t = (write
                        ? a.batchWrite(batch, TransferOptions.DEFAULT)
                        : a.batchRead(batch, TransferOptions.DEFAULT))
                .getFirst();
        assertThat(t.await(PATIENCE)).as(t.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.mismatch(get(write ? remote : local), expected)).isEqualTo(-1);
    }

    @Test
    void manyTransfersShareTheWindow() throws Exception {
        Region local = filled(a, true, 16 * MIB);
        Region remote = filled(b, true, 16 * MIB);
        List<Transfer> all = new java.util.ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(a.write(local, i * 200_000L, remote.descriptor(), i * 200_000L, 200_000, TransferOptions.DEFAULT));
        }
        assertThat(a.awaitAll(all, PATIENCE).state()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.equals(get(local), 0, 64 * 200_000, get(remote), 0, 64 * 200_000))
                .isTrue();
    }

    @Test
    void notifiedAfterTheBytesAreInDeviceMemory() throws Exception {
        Region local = filled(a, false, 3 * MIB);
        Region remote = filled(b, true, 3 * MIB);
        AtomicBoolean there = new AtomicBoolean();
        java.util.concurrent.CountDownLatch told = new java.util.concurrent.CountDownLatch(1);
        b.onNotification(notification -> {
            there.set(Arrays.equals(get(local), get(remote)));
            told.countDown();
        });
        Transfer t = a.write(
                local, 0, remote.descriptor(), 0, 3 * MIB, TransferOptions.DEFAULT.withNotification(new byte[] {1}));
        assertThat(t.await(PATIENCE)).as(t.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(told.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(there).isTrue();
    }

    @Test
    void policyFailRefusesAndTouchesNothing() throws Exception {
        Region local = filled(a, true, 100_000);
        Region remote = filled(b, false, 100_000);
        byte[] before = get(remote);
        Transfer t = a.write(
                local, 0, remote.descriptor(), 0, 100_000, TransferOptions.DEFAULT.withRoutePolicy(RoutePolicy.FAIL));
        assertThat(t.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(t.code()).contains(ErrorCode.UNSUPPORTED);
        assertThat(t.text()).contains("staged through host memory").contains("fail");
        assertThat(get(remote)).isEqualTo(before);
    }

    @Test
    void explainSaysStaged() {
        assertThat(a.explain(b.descriptor().key(), FakeDeviceProvider.KIND, MemoryKind.HOST)
                        .candidates())
                .anySatisfy(candidate -> {
                    assertThat(candidate.verdict()).isEqualTo(Verdict.CHOSEN);
                    assertThat(candidate.evidence()).contains("staged through host memory");
                });
    }

    @Test
    void theTargetChecksBoundsAndRights() throws Exception {
        Region local = filled(a, false, 8_192);
        Region readOnly = b.allocate(FAKE, 4_096, RegisterOptions.DEFAULT.withAccess(Set.of(Access.REMOTE_READ)));
        Transfer t = a.write(local, 0, readOnly.descriptor(), 0, 4_096, TransferOptions.DEFAULT);
        assertThat(t.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(t.code()).as(t.text()).contains(ErrorCode.REMOTE_ACCESS);

        Region small = filled(b, true, 4_096);
        byte[] before = get(small);
        MemoryDescriptor longer =
                small.descriptor().toBuilder().range(small.address(), 8_192).build();
        Transfer beyond = a.write(local, 0, longer, 0, 8_192, TransferOptions.DEFAULT);
        assertThat(beyond.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(beyond.code()).as(beyond.text()).contains(ErrorCode.REMOTE_ACCESS);
        assertThat(get(small)).isEqualTo(before);
    }

    @Test
    void aRegionThatIsGoneIsRefused() throws Exception {
        Region local = filled(a, true, MIB);
        Region remote = filled(b, true, MIB);
        Transfer first = a.write(local, 0, remote.descriptor(), 0, MIB, TransferOptions.DEFAULT);
        assertThat(first.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        MemoryDescriptor old = remote.descriptor();
        remote.close();
        Transfer t = a.write(local, 0, old, 0, MIB, TransferOptions.DEFAULT);
        assertThat(t.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(t.code()).contains(ErrorCode.REMOTE_ACCESS);
    }

    @Test
    void cancelledOnesEndAndLeaveTheWindowUsable() throws Exception {
        Region local = filled(a, true, 32 * MIB);
        Region remote = filled(b, true, 32 * MIB);
        for (int i = 0; i < 20; i++) {
            Transfer t = a.write(local, 0, remote.descriptor(), 0, 32 * MIB, TransferOptions.DEFAULT);
            t.cancel();
            assertThat(t.await(PATIENCE)).isIn(TransferState.CANCELLED, TransferState.SUCCEEDED);
        }
        Transfer last = a.write(local, 0, remote.descriptor(), 0, 32 * MIB, TransferOptions.DEFAULT);
        assertThat(last.await(PATIENCE)).as(last.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.equals(get(local), get(remote))).isTrue();
    }

    @Test
    void theSourceIsReadOnlyOnceItsEventIsReady() throws Exception {
        Region local = filled(a, true, 2 * MIB);
        Region remote = filled(b, true, 2 * MIB);
        AtomicBoolean ready = new AtomicBoolean();
        Transfer t =
                a.write(local, 0, remote.descriptor(), 0, 2 * MIB, TransferOptions.DEFAULT.withReadyWhen(ready::get));
        byte[] later = new byte[2 * MIB];
        random.nextBytes(later);
        assertThat(t.await(Duration.ofMillis(50))).isEqualTo(TransferState.IN_PROGRESS);
        put(local, later);
        ready.set(true);
        assertThat(t.await(PATIENCE)).as(t.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.equals(get(remote), later)).isTrue();
    }

    @Test
    void withoutRoomForStagingItFailsAndSaysWhatToRaise() throws Exception {
        try (TransferEngine small = open("small", Map.of("weft.staging.bytes", "1MiB"))) {
            small.addPeer(b.descriptor());
            Region local = filled(small, true, MIB);
            Region remote = filled(b, false, MIB);
            Transfer t = small.write(local, 0, remote.descriptor(), 0, MIB, TransferOptions.DEFAULT);
            assertThat(t.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(t.code()).contains(ErrorCode.RESOURCE_EXHAUSTED);
            assertThat(t.text()).contains("weft.staging.bytes");
        }
    }

    @Test
    void aPeerThatClosesUnderItFailsIt() throws Exception {
        Region local = filled(a, true, 64 * MIB);
        TransferEngine c = open("c", Map.of());
        a.addPeer(c.descriptor());
        Region remote = allocate(c, true, 64 * MIB);
        Transfer first = a.write(local, 0, remote.descriptor(), 0, MIB, TransferOptions.DEFAULT);
        assertThat(first.await(PATIENCE)).as(first.text()).isEqualTo(TransferState.SUCCEEDED);
        Transfer t = a.write(local, 0, remote.descriptor(), 0, 64 * MIB, TransferOptions.DEFAULT);
        c.close(Duration.ZERO);
        assertThat(t.await(PATIENCE)).isNotEqualTo(TransferState.IN_PROGRESS);
    }

    @Test
    void toItself() throws Exception {
        Region from = filled(a, true, 3 * MIB);
        Region to = filled(a, true, 3 * MIB);
        Transfer t = a.write(from, 0, to.descriptor(), 0, 3 * MIB, TransferOptions.DEFAULT);
        assertThat(t.await(PATIENCE)).as(t.text()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.equals(get(from), get(to))).isTrue();
    }

    @Test
    void memoryThatTheDriverDoesNotKnowIsRefused() {
        Region host = allocate(a, false, 4_096);
        assertThatThrownBy(() -> a.register(host.address(), 4_096, FAKE, RegisterOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
}
