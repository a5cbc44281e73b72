package io.weft.bench.engine;

import io.weft.api.SegmentTable;
import io.weft.engine.internal.segment.Coalescer;
import io.weft.engine.internal.segment.SegmentPlan;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Bringing 100 000 segments of a write, none of which touch, into a plan. Goals: 0.5 ms sorted, 5 ms shuffled. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class CoalescingBenchmark {
    private static final int SEGMENTS = 100_000;
    private static final long BYTES = 1_024;
    private static final long STRIDE = 2 * BYTES;

    /** How the caller orders them. */
    @Param({"sorted", "shuffled"})
    public String order = "";

    private final Coalescer coalescer = new Coalescer();
    private final Plan plan = new Plan();
    private SegmentTable table = SegmentTable.single(0, 0, 0);

    private static final class Plan extends SegmentPlan {
        Plan() {
            super(Integer.SIZE - Integer.numberOfLeadingZeros(SEGMENTS - 1));
        }

        void empty() {
            clear();
        }
    }

    /** Makes the segments. */
    @Setup
    public void makeSegments() {
        int[] places = new int[SEGMENTS];
        for (int i = 0; i < SEGMENTS; i++) {
            places[i] = i;
        }
        if (order.equals("shuffled")) {
            Random random = new Random(1);
            for (int i = SEGMENTS - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int moved = places[i];
                places[i] = places[other];
                places[other] = moved;
            }
        }
        long[] offsets = new long[SEGMENTS];
        long[] lengths = new long[SEGMENTS];
        for (int i = 0; i < SEGMENTS; i++) {
            offsets[i] = places[i] * STRIDE;
            lengths[i] = BYTES;
        }
        table = SegmentTable.of(offsets, offsets, lengths);
    }

    /**
     * Checks, sorts and merges.
     *
     * @return segments of the plan
     */
    @Benchmark
    public int coalesce() {
        plan.empty();
        if (coalescer.add(plan, table, SEGMENTS * STRIDE, SEGMENTS * STRIDE, true) != Coalescer.Outcome.OK
                || plan.size != SEGMENTS) {
            throw new IllegalStateException("not what was to be measured");
        }
        return plan.size;
    }
}
