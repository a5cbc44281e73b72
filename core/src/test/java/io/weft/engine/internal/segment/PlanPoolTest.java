package io.weft.engine.internal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanPoolTest {
    private final PlanPool<SegmentPlan> pool = new PlanPool<>(c -> new SegmentPlan(c) {});

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 1000, 100_000, 5_000_000})
    void hasRoomForWhatWasAsked(int segments) {
        assertThat(pool.take(segments).local.length).isGreaterThanOrEqualTo(segments);
    }

    @Test
    void givesTheSamePlanAgainEmptied() {
        SegmentPlan plan = pool.take(100);
        plan.size = 3;
        plan.addRun(0, 3, 0, 0);
        pool.giveBack(plan);
        SegmentPlan again = pool.take(90);
        assertThat(again).isSameAs(plan);
        assertThat(again.size).isZero();
        assertThat(again.runs).isZero();
    }

    @Test
    void totalsCountSharedSegmentsForEachRun() {
        SegmentPlan plan = pool.take(2);
        plan.length[0] = 10;
        plan.length[1] = 5;
        plan.size = 2;
        plan.addRun(0, 2, 0, 0);
        plan.addRun(0, 2, 100, 0);
        plan.addRun(1, 2, 200, 0);
        assertThat(plan.totalBytes()).isEqualTo(35);
        assertThat(plan.totalSegments()).isEqualTo(5);
        plan.length[0] = Long.MAX_VALUE;
        assertThat(plan.totalBytes()).isEqualTo(Long.MAX_VALUE);
    }
}
