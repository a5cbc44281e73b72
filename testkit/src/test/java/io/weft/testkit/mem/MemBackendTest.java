package io.weft.testkit.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MemBackendTest {
    private final AssertingProvider provider = AssertingProvider.of(new MemProvider());
    private final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    private final Arena arena = Arena.ofShared();
    private final LoneMemory source = new LoneMemory(1, arena.allocate(64));
    private final LoneMemory destination = new LoneMemory(2, arena.allocate(64));
    private final RecordedLink events = new RecordedLink();
    private LoneContext left;
    private LoneContext right;
    private LocalMemory local;
    private LocalMemory exported;
    private RemoteMemory remote;
    private Link link;

    @BeforeEach
    void connect() {
        left = LoneContext.open(neighbourhood, "left", provider, Map.of());
        right = LoneContext.open(neighbourhood, "right", provider, Map.of());
        for (int i = 0; i < 64; i++) {
            source.bytes().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
        }
        local = left.backend().register(source);
        exported = right.backend().register(destination);
        remote = importFromRight(exported, destination);
        link = left.backend().connect(left.peer(right), events, soon());
    }

    @AfterEach
    void close() {
        left.backend().close();
        right.backend().close();
        provider.assertClean();
        arena.close();
    }

    @Test
    void writesExactlyTheNamedBytes() throws InterruptedException {
        assertThat(write(1, new long[] {0, 8, 3}, new long[] {10, 21, 5})).isZero();
        MemorySegment expected = arena.allocate(64);
        MemorySegment.copy(source.bytes(), 0, expected, 8, 3);
        MemorySegment.copy(source.bytes(), 10, expected, 21, 5);
        assertThat(destination.bytes().mismatch(expected)).isEqualTo(-1);
    }

    @Test
    void readsExactlyTheNamedBytes() throws InterruptedException {
        destination.bytes().fill((byte) 9);
        link.post(new CopiedOperation(1, OperationKind.READ, local, remote, new long[] {4, 0, 2}));
        assertThat(left.completions().await(1, Duration.ofSeconds(5)).code()).isZero();
        assertThat(source.bytes().asSlice(0, 8).toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 9, 9, 7, 8);
    }

    @Test
    void refusesARightThatWasNotGiven() throws InterruptedException {
        LoneMemory readOnly = new LoneMemory(3, arena.allocate(8), Set.of(Access.REMOTE_READ));
        remote = importFromRight(right.backend().register(readOnly), readOnly);
        assertThat(write(1, new long[] {0, 0, 1})).isEqualTo(ErrorCode.REMOTE_ACCESS.number());
        assertThat(readOnly.bytes().get(ValueLayout.JAVA_BYTE, 0)).isZero();
    }

    @Test
    void deregisteredMemoryIsOutOfReach() throws InterruptedException {
        assertThat(right.backend().deregister(exported, soon())).isTrue();
        assertThat(write(1, new long[] {0, 0, 8})).isEqualTo(ErrorCode.REMOTE_ACCESS.number());
        assertThat(destination.bytes().get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isZero();
    }

    @Test
    void aFencedPeerConnectsAndFetchesKeysAnew() throws InterruptedException {
        assertThat(right.backend().fencePeer(right.peer(left), soon())).isTrue();
        assertThat(events.down()).isEqualTo(ErrorCode.PEER_LOST);
        assertThat(post(1, new long[] {0, 0, 8})).isEqualTo(ErrorCode.PEER_LOST.number());
        link = left.backend().connect(left.peer(right), new RecordedLink(), soon());
        assertThat(write(2, new long[] {0, 0, 8})).isEqualTo(ErrorCode.REMOTE_ACCESS.number());
        remote = importFromRight(exported, destination);
        assertThat(write(3, new long[] {0, 0, 8})).isZero();
    }

    @Test
    void aKeyServesOnlyThePeerItWasMadeFor() {
        LoneContext other = LoneContext.open(neighbourhood, "other", provider, Map.of());
        byte[] key = right.backend().exportKey(right.peer(left), exported);
        assertThatThrownBy(() -> other.backend().importKey(other.peer(right), destination.descriptor("right"), key))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REMOTE_ACCESS));
        other.backend().close();
    }

    @Test
    void closeOfTheTargetTakesTheLinkDown() {
        right.backend().close();
        assertThat(events.down()).isEqualTo(ErrorCode.PEER_LOST);
        assertThatThrownBy(() -> left.backend().connect(left.peer(right), new RecordedLink(), soon()))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
    }

    private RemoteMemory importFromRight(LocalMemory memory, LoneMemory spec) {
        byte[] key = right.backend().exportKey(right.peer(left), memory);
        return left.backend().importKey(left.peer(right), spec.descriptor("right"), key);
    }

    private int post(long token, long[]... segments) {
        return link.post(new CopiedOperation(token, OperationKind.WRITE, local, remote, segments));
    }

    private int write(long token, long[]... segments) throws InterruptedException {
        assertThat(post(token, segments)).isEqualTo(Link.ACCEPTED);
        return left.completions().await(token, Duration.ofSeconds(5)).code();
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(5).toNanos();
    }
}
