package io.weft.kv.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.layout.StateType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class StatePlannerTest {
    private static final int[] NONE = {};

    private static StateSide side(int tp, int rank, long... itemLens) {
        return StateSide.of(tp, rank, itemLens, new long[0]);
    }

    @ParameterizedTest
    @EnumSource(value = StateType.class, mode = Mode.EXCLUDE, names = "MAMBA")
    void pagedStateIsGroupedAndTensorsOfOneLengthShareAPlan(StateType type) {
        StatePlan plan = StatePlanner.plan(
                type, side(2, 0, 512, 256, 512), side(2, 0, 512, 256, 512), false, 1, new int[] {1, 2, 7}, new int[] {
                    5, 6, 9
                });
        assertThat(plan.dropped()).isZero();
        assertThat(plan.parts()).extracting(StatePlan.Part::tensors).containsExactly(List.of(1), List.of(0, 2));
        SegmentPlan wide = plan.parts().get(1).segments();
        assertThat(wide.size()).isEqualTo(2);
        assertThat(wide.localOffset(0)).isEqualTo(512);
        assertThat(wide.remoteOffset(0)).isEqualTo(5 * 512);
        assertThat(wide.length(0)).isEqualTo(1024);
        assertThat(wide.bytes()).isEqualTo(3 * 512);
    }

    @ParameterizedTest
    @EnumSource(StateType.class)
    void nothingWantedIsNothingSent(StateType type) {
        assertThat(StatePlanner.plan(type, side(2, 0, 8), side(2, 0, 8), false, 1, NONE, NONE)
                        .parts())
                .isEmpty();
        assertThat(StatePlanner.plan(type, side(2, 0, 8), side(2, 0, 8), false, 1, new int[] {3}, NONE)
                        .parts())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(StateType.class)
    void whatDecodeNamedMustBeThere(StateType type) {
        assertThatThrownBy(() -> StatePlanner.plan(type, side(2, 0, 8), side(2, 0, 8), false, 1, NONE, new int[] {3}))
                .isInstanceOf(WeftException.class);
    }

    @ParameterizedTest
    @CsvSource({"SWA, 1", "DSA, 1", "MINIMAX_INDEX_K, 1", "SWA_RING, refused", "C128_STATE, refused"})
    void onlyPagedTypesTolerateADrift(StateType type, String outcome) {
        int[] three = {1, 2, 3};
        int[] two = {4, 5};
        if (outcome.equals("refused")) {
            assertThatThrownBy(() -> StatePlanner.plan(type, side(1, 0, 8), side(1, 0, 8), false, 1, three, two))
                    .hasMessageContaining("%s state index length mismatch: src=3, dst=2", type.name());
        } else {
            StatePlan plan = StatePlanner.plan(type, side(1, 0, 8), side(1, 0, 8), false, 1, three, two);
            assertThat(plan.dropped()).isEqualTo(Integer.parseInt(outcome));
            assertThat(plan.parts().getFirst().segments().bytes()).isEqualTo(16);
        }
    }

    @Test
    void layoutsThatCannotBeMovedAreRefusedWithBothValues() {
        int[] one = {1};
        assertRefused(
                () -> StatePlanner.plan(StateType.SWA, side(4, 0, 8), side(2, 0, 8), false, 1, one, one), "4", "2");
        assertRefused(
                () -> StatePlanner.plan(StateType.MINIMAX_INDEX_K, side(1, 0, 8), side(1, 0, 8), false, 2, one, one),
                "PP>1");
        assertRefused(
                () -> StatePlanner.plan(StateType.MINIMAX_INDEX_K, side(4, 0, 8), side(2, 0, 8), true, 1, one, one),
                "heterogeneous TP");
        assertRefused(
                () -> StatePlanner.plan(StateType.DSA, side(1, 0, 8), side(1, 0, 9), false, 1, one, one), "8", "9");
        assertRefused(
                () -> StatePlanner.plan(StateType.DSA, side(1, 0, 8, 8), side(1, 0, 8), false, 1, one, one),
                "2 tensors",
                "1 with");
        assertThat(StatePlanner.plan(StateType.SWA, side(4, 0, 8), side(2, 0, 8), true, 1, one, one)
                        .parts())
                .hasSize(1);
    }

    @Test
    void mambaNeedsOneSlotAndKnownDimensions() {
        StateSide unknown = StateSide.of(2, 0, new long[] {2000}, new long[0]);
        StateSide known = StateSide.of(4, 1, new long[] {1000}, new long[] {250});
        assertThatThrownBy(() ->
                        StatePlanner.plan(StateType.MAMBA, known, known, false, 1, new int[] {1, 2}, new int[] {1}))
                .hasMessageContaining("requires single state index, got src=2, dst=1");
        assertRefused(
                () -> StatePlanner.plan(StateType.MAMBA, known, unknown, false, 1, new int[] {3}, new int[] {5}),
                "prefill 4",
                "decode 2");
        StateSide odd = StateSide.of(2, 0, new long[] {2000}, new long[] {300});
        assertRefused(
                () -> StatePlanner.plan(StateType.MAMBA, known, odd, false, 1, new int[] {3}, new int[] {5}),
                "1000",
                "2000");
    }

    static LongStream seeds() {
        return Seeds.seeds(200);
    }

    /** Every unit of every block lands where the decode rank's own shard of the block has it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void slicedStateEqualsTheModelWideReference(long seed) {
        Random random = new Random(seed);
        int p = 1 << random.nextInt(4);
        int d = 1 << random.nextInt(4);
        boolean blocks = random.nextBoolean();
        List<Integer> groups = blocks ? List.of(16, 8, 24) : List.of(48);
        int unit = 1 + random.nextInt(3);
        int slots = 4;
        int from = random.nextInt(slots);
        int to = random.nextInt(slots);
        for (int rank = 0; rank < d; rank++) {
            byte[] memory = new byte[slots * 48 / d * unit];
            int writers = Math.max(1, p / d);
            int first = p >= d ? rank * writers : rank / (d / p);
            for (int writer = first; writer < first + writers; writer++) {
                StatePlan plan = StatePlanner.plan(
                        StateType.MAMBA,
                        mamba(p, writer, unit, blocks, groups),
                        mamba(d, rank, unit, blocks, groups),
                        false,
                        1,
                        new int[] {from},
                        new int[] {to});
                byte[] source = shard(p, writer, unit, groups, slots, from);
                SegmentPlan segments = plan.parts().getFirst().segments();
                for (int i = 0; i < segments.size(); i++) {
                    System.arraycopy(
                            source, (int) segments.localOffset(i), memory, (int) segments.remoteOffset(i), (int)
                                    segments.length(i));
                }
            }
            assertThat(memory)
                    .as("TP %d to %d, rank %d, blocks %s", p, d, rank, groups)
                    .isEqualTo(shard(d, rank, unit, groups, slots, to));
        }
    }

    private static StateSide mamba(int tp, int rank, int unit, boolean blocks, List<Integer> groups) {
        return new StateSide(
                tp, rank, 1, new long[] {48L / tp * unit}, new long[] {48 / tp}, blocks ? List.of(groups) : List.of());
    }

    private static byte[] shard(int tp, int rank, int unit, List<Integer> groups, int slots, int slot) {
        byte[] memory = new byte[slots * 48 / tp * unit];
        int at = slot * 48 / tp * unit;
        int base = 0;
        for (int full : groups) {
            int share = full / tp;
            for (int i = 0; i < share; i++) {
                Arrays.fill(memory, at, at + unit, (byte) (1 + base + rank * share + i));
                at += unit;
            }
            base += full;
        }
        return memory;
    }

    private static void assertRefused(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE))
                .hasMessageContainingAll(parts);
    }
}
