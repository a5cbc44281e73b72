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
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad arguments: failed transfers with a code for transfer calls, exceptions for the others, and no byte moved. */
@Timeout(60)
class EngineArgumentsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TwoEngines engines = TwoEngines.open();
    private final TransferEngine a = engines.a;
    private final Region source = TwoEngines.random(a, 1_000, new Random(1));
    private final Region target = TwoEngines.allocate(engines.b, 1_000);
    private final MemoryDescriptor remote = target.descriptor();

    @AfterEach
    void close() {
        assertThat(TwoEngines.bytes(target)).as("no byte moved").containsOnly(0);
        engines.close();
    }

    private static void failed(Transfer transfer, ErrorCode code, String... words) {
        assertThat(transfer.state()).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(code);
        assertThat(List.of(words))
                .allSatisfy(word -> assertThat(transfer.text()).contains(word));
        assertThat(transfer.receipt()).isPresent();
    }

    private Transfer write(long localOffset, long remoteOffset, long length) {
        return a.write(source, localOffset, remote, remoteOffset, length, TransferOptions.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 10",
        "0, -1, 10",
        "0, 0, -10",
        "991, 0, 10",
        "0, 991, 10",
        "0, 0, 1001",
        "9223372036854775807, 0, 1",
        "0, 9223372036854775807, 9223372036854775807"
    })
    void segmentsOutsideTheirRegions(long localOffset, long remoteOffset, long length) {
        failed(write(localOffset, remoteOffset, length), ErrorCode.INVALID_ARGUMENT, "segment 0", "1000 bytes");
        Transfer table = a.batchWrite(
                        List.of(new PairTransfer(
                                new RegionPair(source, remote),
                                SegmentTable.single(localOffset, remoteOffset, length))),
                        TransferOptions.DEFAULT)
                .getFirst();
        failed(table, ErrorCode.INVALID_ARGUMENT, "segment 0");
    }

    @Test
    void arraysOfDifferentLength() {
        SegmentTable table = SegmentTable.of(new long[2], new long[2], new long[1]);
        failed(
                a.batchWrite(List.of(new PairTransfer(new RegionPair(source, remote), table)), TransferOptions.DEFAULT)
                        .getFirst(),
                ErrorCode.INVALID_ARGUMENT,
                "equally long");
    }

    @Test
    void moreSegmentsThanAnyTransferMayHave() {
        long[] same = new long[1 << 22];
        SharedSegments part =
                new SharedSegments(List.of(new RegionPair(source, remote)), SegmentTable.of(same, same, same));
        failed(
                a.writeMulti(Collections.nCopies(17, part), TransferOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT,
                "71303168 segments",
                "67108864",
                "split");
    }

    @Test
    void overlapsAtTheDestination() {
        SegmentTable table = SegmentTable.of(new long[] {0, 50}, new long[] {10, 15}, new long[] {10, 10});
        RegionPair pair = new RegionPair(source, remote);
        failed(
                a.writeMulti(List.of(new SharedSegments(List.of(pair), table)), TransferOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT,
                "overlap");
        SegmentTable one = SegmentTable.single(0, 0, 10);
        SharedSegments part = new SharedSegments(List.of(pair), one);
        failed(a.writeMulti(List.of(part, part), TransferOptions.DEFAULT), ErrorCode.INVALID_ARGUMENT, "overlap");
    }

    @Test
    void overlapsAcrossRegionsThatLieOverEachOther() throws InterruptedException {
        Region inner = engines.b.register(TwoEngines.memory(target).asSlice(100, 500), RegisterOptions.DEFAULT);
        SharedSegments whole =
                new SharedSegments(List.of(new RegionPair(source, remote)), SegmentTable.single(0, 100, 10));
        SharedSegments nested =
                new SharedSegments(List.of(new RegionPair(source, inner.descriptor())), SegmentTable.single(20, 5, 10));
        failed(a.writeMulti(List.of(whole, nested), TransferOptions.DEFAULT), ErrorCode.INVALID_ARGUMENT, "overlap");
    }

    @Test
    void remoteRegionsOfTwoPeers() {
        Region own = TwoEngines.allocate(a, 1_000);
        failed(
                a.writeMulti(
                        List.of(new SharedSegments(
                                List.of(new RegionPair(source, remote), new RegionPair(source, own.descriptor())),
                                SegmentTable.single(0, 0, 10))),
                        TransferOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT,
                "one transfer goes to one peer");
    }

    @Test
    void unknownAndStaleEngines() {
        MemoryDescriptor unknown = remote.toBuilder().engineKey("nobody").build();
        failed(
                a.write(source, 0, unknown, 0, 1, TransferOptions.DEFAULT),
                ErrorCode.NOT_REGISTERED,
                "nobody",
                "addPeer");
        MemoryDescriptor stale = remote.toBuilder().engineKey("b-00000000").build();
        failed(a.write(source, 0, stale, 0, 1, TransferOptions.DEFAULT), ErrorCode.STALE_DESCRIPTOR, "restarted");
    }

    @Test
    void aRegionOfAnotherEngineAsLocalOne() {
        failed(a.write(target, 0, remote, 0, 1, TransferOptions.DEFAULT), ErrorCode.NOT_REGISTERED, "another engine");
    }

    @Test
    void idsThatTheOwnerNeverGave() throws InterruptedException {
        MemoryDescriptor never = remote.toBuilder().id(remote.id() - 5).build();
        Transfer transfer = a.write(source, 0, never, 0, 1, TransferOptions.DEFAULT);
        transfer.await(PATIENCE);
        failed(transfer, ErrorCode.STALE_DESCRIPTOR, "never gave that id");
    }

    @Test
    void descriptorsThatWereAltered() throws InterruptedException {
        MemoryDescriptor longer =
                remote.toBuilder().range(remote.address(), 2_000).build();
        Transfer transfer = a.write(source, 0, longer, 1_500, 100, TransferOptions.DEFAULT);
        transfer.await(PATIENCE);
        failed(transfer, ErrorCode.REMOTE_ACCESS, "altered");
        MemoryDescriptor overflowing = remote.toBuilder().range(-8, 8).build();
        failed(a.write(source, 0, overflowing, 0, 1, TransferOptions.DEFAULT), ErrorCode.INVALID_ARGUMENT, "overflows");
    }

    @Test
    void rightsThatWereNotGiven() throws InterruptedException {
        Region readOnly =
                engines.b.register(TwoEngines.memory(target), RegisterOptions.DEFAULT.withAccess(Access.READ_ONLY));
        Transfer transfer = a.write(source, 0, readOnly.descriptor(), 0, 1, TransferOptions.DEFAULT);
        transfer.await(PATIENCE);
        failed(transfer, ErrorCode.REMOTE_ACCESS, "REMOTE_WRITE");
        Region mine = a.register(TwoEngines.memory(source), RegisterOptions.DEFAULT.withAccess(Access.READ_ONLY));
        failed(a.read(mine, 0, remote, 0, 1, TransferOptions.DEFAULT), ErrorCode.PERMISSION, "LOCAL_WRITE");
    }

    @Test
    void deadlinesAndNotificationsOutOfRange() {
        failed(
                a.write(source, 0, remote, 0, 1, TransferOptions.DEFAULT.withDeadline(Duration.ZERO)),
                ErrorCode.INVALID_ARGUMENT,
                "positive");
        failed(
                a.write(source, 0, remote, 0, 1, TransferOptions.DEFAULT.withNotification(new byte[4097])),
                ErrorCode.INVALID_ARGUMENT,
                "4096");
    }

    @Test
    void badSiblingsLeaveGoodOnesAlone() throws InterruptedException {
        Region second = TwoEngines.allocate(engines.b, 1_000);
        List<Transfer> transfers = a.batchWrite(
                List.of(
                        new PairTransfer(new RegionPair(source, remote), SegmentTable.single(0, 0, 5_000)),
                        new PairTransfer(
                                new RegionPair(source, second.descriptor()), SegmentTable.single(0, 0, 1_000))),
                TransferOptions.DEFAULT.withTransferId(70));
        failed(transfers.get(0), ErrorCode.INVALID_ARGUMENT);
        assertThat(transfers.get(1).await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        assertThat(transfers).extracting(Transfer::id).containsExactly(70L, 71L);
        assertThat(TwoEngines.bytes(second)).isEqualTo(TwoEngines.bytes(source));
    }

    @Test
    void emptyTransfersSucceedAtOnce() {
        assertThat(write(1_000, 1_000, 0).state()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(a.writeMulti(List.of(), TransferOptions.DEFAULT).state()).isEqualTo(TransferState.SUCCEEDED);
        SegmentTable zeros = SegmentTable.of(new long[3], new long[3], new long[3]);
        Transfer zero = a.readMulti(
                List.of(new SharedSegments(List.of(new RegionPair(source, remote)), zeros)), TransferOptions.DEFAULT);
        assertThat(zero.state()).isEqualTo(TransferState.SUCCEEDED);
        assertThat(zero.receipt())
                .hasValueSatisfying(r -> assertThat(r.segments()).isEqualTo(3));
        assertThat(a.stats().succeeded()).isEqualTo(3);
    }

    private static void refused(Runnable call, ErrorCode code, String... words) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(words);
    }

    @Test
    void memoryThatCannotBeRegistered() {
        RegisterOptions options = RegisterOptions.DEFAULT;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(16);
            refused(() -> a.register(confined, options), ErrorCode.INVALID_ARGUMENT, "confined");
        }
        refused(() -> a.register(MemorySegment.ofArray(new byte[16]), options), ErrorCode.INVALID_ARGUMENT, "heap");
        refused(
                () -> a.register(TwoEngines.memory(source).asSlice(0, 0), options),
                ErrorCode.INVALID_ARGUMENT,
                "positive");
        Arena closed = Arena.ofShared();
        MemorySegment dead = closed.allocate(16);
        closed.close();
        refused(() -> a.register(dead, options), ErrorCode.INVALID_ARGUMENT, "closed");
        refused(
                () -> a.register(TwoEngines.memory(source).asReadOnly(), options),
                ErrorCode.INVALID_ARGUMENT,
                "READ_ONLY");
        refused(
                () -> a.register(TwoEngines.memory(source), options.withAccess(Set.of())),
                ErrorCode.INVALID_ARGUMENT,
                "right");
        MemoryLocation host = MemoryLocation.HOST;
        refused(() -> a.register(0, 16, host, options), ErrorCode.INVALID_ARGUMENT, "null");
        refused(() -> a.register(16, -1, host, options), ErrorCode.INVALID_ARGUMENT, "positive");
        refused(() -> a.register(-16, 17, host, options), ErrorCode.INVALID_ARGUMENT, "overflow");
        refused(
                () -> a.register(16, 16, new MemoryLocation(MemoryKind.CUDA, 0), options),
                ErrorCode.UNSUPPORTED,
                "cuda",
                "mem");
        refused(() -> a.allocate(host, 0, options), ErrorCode.INVALID_ARGUMENT, "positive");
    }

    @Test
    void readOnlyMemoryMayBeASource() throws InterruptedException {
        Region readOnly = a.register(
                TwoEngines.memory(source).asReadOnly(), RegisterOptions.DEFAULT.withAccess(Access.READ_ONLY));
        Region second = TwoEngines.allocate(engines.b, 1_000);
        Transfer transfer = a.write(readOnly, 0, second.descriptor(), 0, 1_000, TransferOptions.DEFAULT);
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        assertThat(Arrays.equals(TwoEngines.bytes(second), TwoEngines.bytes(source)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'', 127.0.0.1, 5", "k, 0.0.0.0, 5", "k, ::, 5", "k, some.host, 5", "k, 127.0.0.1, 0", "k, ::1, 65536"})
    void peersThatCannotBeDialled(String key, String host, int port) {
        refused(
                () -> a.addPeer(new io.weft.api.EngineDescriptor(key, "n", "h", host, port, 1)),
                ErrorCode.INVALID_ARGUMENT,
                "add peer");
    }

    @Test
    void sessionsWithWhatIsNotThere() {
        MemoryDescriptor unknown = remote.toBuilder().engineKey("nobody").build();
        refused(() -> a.session(source, unknown), ErrorCode.NOT_REGISTERED, "nobody");
        MemoryDescriptor never = remote.toBuilder().id(remote.id() - 5).build();
        refused(() -> a.session(source, never), ErrorCode.STALE_DESCRIPTOR, "never gave");
    }
}
