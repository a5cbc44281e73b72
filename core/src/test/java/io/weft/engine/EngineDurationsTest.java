package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.PairTransfer;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Any duration is a legal timeout, and arguments that cannot be honoured are refused before anything happens. */
@Timeout(60)
class EngineDurationsTest {
    private final TwoEngines engines = TwoEngines.open();
    private final Region source = TwoEngines.random(engines.a, 100, new Random(1));
    private final Region target = TwoEngines.allocate(engines.b, 100);

    @AfterEach
    void close() {
        engines.close();
    }

    static Stream<Duration> durations() {
        return Stream.of(
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ZERO);
    }

    private Transfer write(TransferOptions options) {
        return engines.a.write(source, 0, target.descriptor(), 0, 100, options);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void everyTimeoutIsLegal(Duration timeout) throws InterruptedException {
        String peer = engines.b.descriptor().key();
        boolean waits = timeout.isPositive();
        Transfer transfer = write(waits ? TransferOptions.DEFAULT.withDeadline(timeout) : TransferOptions.DEFAULT);

        assertThat(transfer.await(timeout).isTerminal() || !waits).isTrue();
        assertThat(engines.a.awaitAll(List.of(transfer), timeout).state() == TransferState.SUCCEEDED || !waits)
                .isTrue();
        assertThat(engines.a.fence(peer, timeout) || !waits).isTrue();
        assertThat(engines.a.fenceAll(timeout) || !waits).isTrue();
        Region region = TwoEngines.allocate(engines.a, 10);
        region.deregister(timeout);
        region.deregister(timeout);
        assertThat(region.isRegistered()).isFalse();
        engines.a.close(timeout);
        engines.a.close(timeout);
        assertThat(write(TransferOptions.DEFAULT).code()).contains(ErrorCode.CLOSED);
    }

    @Test
    void aBatchWithANullMovesNothing() {
        PairTransfer good =
                new PairTransfer(new RegionPair(source, target.descriptor()), SegmentTable.single(0, 0, 100));
        assertThatNullPointerException()
                .isThrownBy(() -> engines.a.batchWrite(Arrays.asList(good, null), TransferOptions.DEFAULT));
        assertThat(engines.a.stats().started()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3, UNSUPPORTED, numactl", "-2, INVALID_ARGUMENT, does not exist"})
    void aNumaNodeThatCannotBeHadIsRefused(int node, ErrorCode code, String words) {
        assertThatThrownBy(() ->
                        engines.a.allocate(MemoryLocation.HOST, 4_096, RegisterOptions.DEFAULT.withNumaNode(node)))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }
}
