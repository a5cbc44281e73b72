package io.weft.engine.internal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.SegmentTable;
import io.weft.engine.internal.segment.Coalescer.Outcome;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CoalescerTest {
    private static final long LIMIT = 1 << 16;

    private final PlanPool<SegmentPlan> pool = new PlanPool<>(c -> new SegmentPlan(c) {});
    private final Coalescer coalescer = new Coalescer();

    static LongStream seeds() {
        long first = Long.getLong("weft.test.seed", System.nanoTime());
        return LongStream.range(first, first + 200);
    }

    private static SegmentTable table(long... triples) {
        int n = triples.length / 3;
        long[] local = new long[n];
        long[] remote = new long[n];
        long[] length = new long[n];
        for (int i = 0; i < n; i++) {
            local[i] = triples[3 * i];
            remote[i] = triples[3 * i + 1];
            length[i] = triples[3 * i + 2];
        }
        return SegmentTable.of(local, remote, length);
    }

    private static String text(SegmentPlan plan) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < plan.size; i++) {
            text.append(plan.local[i] + ">" + plan.remote[i] + "x" + plan.length[i] + " ");
        }
        return text.toString().strip();
    }

    @Test
    void mergesWhatTouchesOnBothSides() {
        SegmentPlan plan = pool.take(5);
        Outcome outcome = coalescer.add(
                plan, table(0, 100, 10, 10, 110, 10, 30, 120, 5, 35, 125, 5, 40, 131, 1), LIMIT, LIMIT, true);
        assertThat(outcome).isEqualTo(Outcome.OK);
        assertThat(text(plan)).isEqualTo("0>100x20 30>120x10 40>131x1");
    }

    @Test
    void sortsByRemoteOffsetAndMergesThen() {
        SegmentPlan plan = pool.take(3);
        coalescer.add(plan, table(20, 120, 10, 0, 100, 10, 10, 110, 10), LIMIT, LIMIT, true);
        assertThat(text(plan)).isEqualTo("0>100x30");
    }

    @Test
    void dropsEmptySegmentsButChecksThem() {
        SegmentPlan plan = pool.take(2);
        assertThat(coalescer.add(plan, table(0, 0, 0, LIMIT, LIMIT, 0), LIMIT, LIMIT, true))
                .isEqualTo(Outcome.OK);
        assertThat(plan.size).isZero();
        assertThat(coalescer.add(plan, table(0, LIMIT + 1, 0), LIMIT, LIMIT, true))
                .isEqualTo(Outcome.OUT_OF_RANGE);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 1",
        "0, -1, 1",
        "0, 0, -1",
        "65535, 0, 2",
        "0, 65535, 2",
        "9223372036854775807, 0, 1",
        "0, 9223372036854775807, 9223372036854775807",
        "1, 0, 9223372036854775807"
    })
    void refusesWhatLeavesARegion(long local, long remote, long length) {
        SegmentPlan plan = pool.take(2);
        assertThat(coalescer.add(plan, table(0, 0, 1, local, remote, length), LIMIT, LIMIT, true))
                .isEqualTo(Outcome.OUT_OF_RANGE);
        assertThat(coalescer.badIndex()).isEqualTo(1);
    }

    @Test
    void overlapCountsAtTheDestinationOnly() {
        SegmentTable sameRemote = table(0, 100, 10, 50, 105, 10);
        assertThat(coalescer.add(pool.take(2), sameRemote, LIMIT, LIMIT, true)).isEqualTo(Outcome.OVERLAP);
        assertThat(coalescer.badOffset()).isEqualTo(105);
        assertThat(coalescer.add(pool.take(2), sameRemote, LIMIT, LIMIT, false)).isEqualTo(Outcome.OK);
        SegmentTable sameLocal = table(100, 0, 10, 105, 50, 10);
        assertThat(coalescer.add(pool.take(2), sameLocal, LIMIT, LIMIT, false)).isEqualTo(Outcome.OVERLAP);
        assertThat(coalescer.add(pool.take(2), sameLocal, LIMIT, LIMIT, true)).isEqualTo(Outcome.OK);
    }

    @Test
    void doesNotMergeAcrossALongerSourceInBetween() {
        // The second source lies inside the first, the third one starts where the first ends.
        SegmentPlan plan = pool.take(3);
        coalescer.add(plan, table(0, 0, 100, 100, 50, 10, 110, 100, 10), LIMIT, LIMIT, false);
        assertThat(text(plan)).isEqualTo("0>0x100 100>50x10 110>100x10");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void agreesWithCopyingSegmentBySegment(long seed) {
        Random random = new Random(seed);
        boolean toRemote = random.nextBoolean();
        int n = 1 + random.nextInt(random.nextBoolean() ? 8 : 300);
        int regionBytes = 1 + random.nextInt(8_000);
        long[] local = new long[n];
        long[] remote = new long[n];
        long[] length = new long[n];
        int page = Math.max(1, regionBytes / (n + 1));
        boolean neat = random.nextBoolean() && page * n <= regionBytes;
        for (int i = 0; i < n; i++) {
            length[i] = neat ? page : random.nextInt(Math.min(30, regionBytes));
            local[i] = neat ? (long) page * i : random.nextInt((int) (regionBytes - length[i] + 1));
            remote[i] = neat ? (long) page * i : random.nextInt((int) (regionBytes - length[i] + 1));
        }
        if (neat) {
            shuffleRuns(local, random, 1 + random.nextInt(n));
        }
        SegmentTable table = SegmentTable.of(local, remote, length);
        SegmentPlan plan = pool.take(n);
        Outcome outcome = coalescer.add(plan, table, regionBytes, regionBytes, toRemote);

        assertThat(outcome == Outcome.OVERLAP).isEqualTo(overlaps(toRemote ? remote : local, length, regionBytes));
        if (outcome == Outcome.OK) {
            byte[] source = new byte[regionBytes];
            random.nextBytes(source);
            long[][] planned = {
                Arrays.copyOf(plan.local, plan.size),
                Arrays.copyOf(plan.remote, plan.size),
                Arrays.copyOf(plan.length, plan.size)
            };
            assertThat(copy(source, planned, toRemote))
                    .isEqualTo(copy(source, new long[][] {local, remote, length}, toRemote));
            for (int i = 1; i < plan.size; i++) {
                assertThat(plan.remote[i]).isGreaterThanOrEqualTo(plan.remote[i - 1]);
                boolean touches = plan.remote[i] == plan.remote[i - 1] + plan.length[i - 1]
                        && plan.local[i] == plan.local[i - 1] + plan.length[i - 1];
                assertThat(touches).as("neighbours %d are merged", i).isFalse();
            }
        }
    }

    private static void shuffleRuns(long[] values, Random random, int runs) {
        for (int i = 0; i < runs; i++) {
            int a = random.nextInt(values.length);
            int b = random.nextInt(values.length);
            long kept = values[a];
            values[a] = values[b];
            values[b] = kept;
        }
    }

    private static boolean overlaps(long[] offsets, long[] lengths, int regionBytes) {
        int[] named = new int[regionBytes];
        for (int i = 0; i < offsets.length; i++) {
            for (long at = offsets[i]; at < offsets[i] + lengths[i]; at++) {
                if (++named[(int) at] > 1) {
                    return true;
                }
            }
        }
        return false;
    }

    private static byte[] copy(byte[] source, long[][] segments, boolean toRemote) {
        byte[] destination = new byte[source.length];
        for (int i = 0; i < segments[0].length; i++) {
            long from = segments[toRemote ? 0 : 1][i];
            long to = segments[toRemote ? 1 : 0][i];
            System.arraycopy(source, (int) from, destination, (int) to, (int) segments[2][i]);
        }
        return destination;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 100})
    void findsRunsThatNameTheSameBytes(int runs) {
        SegmentPlan plan = pool.take(2);
        coalescer.add(plan, table(0, 0, 10, 0, 100, 10), LIMIT, LIMIT, true);
        for (int r = 0; r < runs; r++) {
            plan.addRun(0, 2, 4096L * (runs - r), 0);
        }
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OK);
        plan.addRun(0, 2, 4096L + 105, 0);
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OVERLAP);
        assertThat(coalescer.badOffset()).isEqualTo(4096 + 105);
    }

    @Test
    void runsMayInterleaveOrLieInDifferentSpaces() {
        SegmentPlan plan = pool.take(2);
        coalescer.add(plan, table(0, 0, 10, 0, 100, 10), LIMIT, LIMIT, true);
        plan.addRun(0, 2, 1000, 0);
        plan.addRun(0, 2, 1010, 0);
        plan.addRun(0, 2, 1000, 1);
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OK);
        plan.addRun(0, 2, 1005, 1);
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OVERLAP);
    }

    @Test
    void comparesAddressesWithoutSign() {
        SegmentPlan plan = pool.take(1);
        coalescer.add(plan, table(0, 0, 10), LIMIT, LIMIT, true);
        plan.addRun(0, 1, Long.MAX_VALUE - 4, 0);
        plan.addRun(0, 1, Long.MIN_VALUE + 3, 0);
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OVERLAP);
        plan.runBase[1] = Long.MIN_VALUE + 5;
        assertThat(coalescer.checkRuns(plan, true)).isEqualTo(Outcome.OK);
    }
}
