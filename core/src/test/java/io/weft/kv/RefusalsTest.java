package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.kv.layout.ParallelLayout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule KV-7 end to end: ranks that do not fit say so on both sides, with both values, before any byte moves. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RefusalsTest {
    static Stream<Arguments> layouts() {
        TestModel m = TestModel.SMALL;
        return Stream.of(
                Arguments.of("page size", m, new TestModel(2, 8, 32, 8, 24, false, m.auxLens(), 6), "4", "8"),
                Arguments.of("heads", m, m.withHeads(4), "8", "4"),
                Arguments.of("layers", m.withLayers(3), m.withLayers(2), "layer 2", "[0, 1]"),
                Arguments.of(
                        "bytes of a head", m, new TestModel(2, 8, 64, 4, 24, false, m.auxLens(), 6), "1024", "2048"),
                Arguments.of("MLA", m, m.asMla(), "does not use MLA", "decode does"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("layouts")
    void layoutsThatDoNotFitFailOnBothSidesWithBothValues(
            String what, TestModel prefill, TestModel decode, String one, String other) {
        try (Cluster c = new Cluster(prefill, List.of(ParallelLayout.SINGLE), List.of())) {
            c.addDecode(decode, ParallelLayout.SINGLE);
            KvReceiver receiver = c.receive(c.d(), 7, new int[] {4}, 2, 0);
            Cluster.await(receiver, KvPoll.FAILED);
            KvTransferException failure = Objects.requireNonNull(receiver.failure());
            assertThat(failure.code()).isEqualTo(ErrorCode.INCOMPATIBLE);
            assertThat(failure).hasMessageContainingAll(one, other);
            Awaitility.await().until(() -> receiver.lease().state() == LeaseState.ACKED);
            assertThat(c.d().differences(new int[0], new int[0], 0, -1)).isEmpty();
        }
    }

    @Test
    void tpSizesThatDoNotDivideAreRefusedByDecode() {
        TestModel m = TestModel.SMALL.withHeads(12);
        try (Cluster c = new Cluster(m, Cluster.ranks(2, 1, 1), List.of())) {
            c.addDecode(m, ParallelLayout.tp(3, 0));
            KvReceiver receiver = c.receive(c.d(), 7, new int[] {4}, 2, 0);
            Cluster.await(receiver, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(receiver.failure()))
                    .hasMessageContainingAll("prefill TP size 2", "decode TP size 3");
        }
    }

    @Test
    void aRoomGivenToTheWrongDpRankFailsAtOnce() {
        ParallelLayout second = new ParallelLayout(1, 0, 1, 0, 2, 1, 1, 0, 1, 0);
        try (Cluster c = new Cluster(TestModel.SMALL, List.of(second), List.of())) {
            KvSender wrong = c.p().prefill().sender(6);
            assertThat(wrong.poll()).isEqualTo(KvPoll.FAILED);
            assertThat(Objects.requireNonNull(wrong.failure())).hasMessageContaining("belongs to DP rank 0 of 2");
            assertThat(c.p().prefill().sender(7).poll()).isEqualTo(KvPoll.BOOTSTRAPPING);
        }
    }

    @Test
    void aForcedDpRankIsLookedUp() {
        ParallelLayout second = new ParallelLayout(1, 0, 1, 0, 2, 1, 1, 0, 1, 0);
        try (Cluster c = new Cluster(
                TestModel.SMALL, List.of(second), List.of(ParallelLayout.SINGLE), "force-dp-query", "true")) {
            KvReceiver receiver = c.receive(c.d(), 6, new int[] {4}, 2, 0);
            KvSender sender = c.p().prefill().sender(6);
            sender.init(1, 1);
            sender.send(new int[] {1});
            Cluster.await(receiver, KvPoll.SUCCESS);
        }
    }
}
