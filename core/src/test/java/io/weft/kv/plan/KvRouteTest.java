package io.weft.kv.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.plan.RankMapping.DecodeShape;
import io.weft.kv.plan.RankMapping.PrefillShape;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule KV-7, and the layouts that the original got wrong. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class KvRouteTest {
    private static final KvSide PREFILL = side(2, 1, 16, "bf16", false, 8, 4, 1024);

    private static KvSide side(
            int tp, int rank, int page, String dtype, boolean mla, int heads, int buffers, long item) {
        return new KvSide(tp, rank, page, dtype, mla, heads, 0, buffers, Collections.nCopies(buffers, item), List.of());
    }

    @Test
    void layoutsThatDoNotFitAreRefusedWithBothValues() {
        assertRefused(PREFILL, side(2, 1, 32, "bf16", false, 8, 4, 1024), "page size is 16", "32");
        assertRefused(PREFILL, side(2, 1, 16, "fp8", false, 8, 4, 1024), "dtype is bf16", "fp8");
        assertRefused(PREFILL, side(2, 1, 16, "bf16", false, 4, 4, 1024), "heads is 8", "4");
        assertRefused(PREFILL, side(2, 1, 16, "bf16", true, 8, 4, 1024), "prefill does not use MLA", "decode does");
        assertRefused(PREFILL, side(2, 1, 16, "bf16", false, 8, 4, 2048), "1024 bytes", "2048 bytes");
        assertRefused(PREFILL, side(4, 2, 16, "bf16", false, 8, 4, 1024), "1024 bytes", "4 heads", "2 heads");
        assertRefused(PREFILL, side(3, 0, 16, "bf16", false, 8, 4, 1024), "8 KV heads", "3 TP ranks");
        assertRefused(PREFILL, side(2, 1, 16, "bf16", false, 8, 2, 1024), "2 K and V layers", "2 buffers");
    }

    @Test
    void anOlderPeerIsHeldAgainstWhatItTells() {
        KvSide old = new KvSide(2, 1, 0, "", false, 0, 0, 4, List.of(2048L), List.of());
        assertRefused(PREFILL, old, "1024 bytes", "2048 bytes");
        KvSide fits = new KvSide(4, 2, 0, "", false, 0, 0, 4, List.of(512L), List.of());
        KvRoute route = KvRoute.between(PREFILL, fits);
        assertThat(route.groups()).singleElement().satisfies(g -> {
            assertThat(g.sources()).containsExactly(0, 1, 2, 3);
            assertThat(g.slice())
                    .isNotNull()
                    .satisfies(s -> assertThat(s.firstHead()).isEqualTo(4));
        });
    }

    @Test
    void draftLayersBehindTheTargetsFindTheirOwnBuffers() {
        List<Integer> prefillIds = List.of(0, 1, 0, 1);
        List<Integer> decodeIds = List.of(0, 1, 0, 1, 2, 2);
        KvSide prefill = new KvSide(1, 0, 1, "", false, 1, 0, 4, Collections.nCopies(4, 8L), prefillIds);
        KvSide decode = new KvSide(1, 0, 1, "", false, 1, 0, 6, Collections.nCopies(6, 8L), decodeIds);
        KvRoute route = KvRoute.between(prefill, decode);
        assertThat(route.groups().getFirst().destinations()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void equalPipelinesOnBothSidesAreStageLocal() {
        assertThat(PipelineSlice.mha(4, 2, 4).destinations()).containsExactly(0, 1, 2, 3);
        assertThat(PipelineSlice.mla(2, 2, 2).destinations()).containsExactly(0, 1);
        assertThat(PipelineSlice.mha(4, 2, 8).destinations()).containsExactly(2, 3, 6, 7);
    }

    @Test
    void layersOfDifferentLengthGetTheirOwnPlan() {
        KvSide here = new KvSide(1, 0, 4, "", true, 0, 0, 3, List.of(64L, 128L, 64L), List.of());
        KvRoute route = KvRoute.between(here, here);
        assertThat(route.groups()).extracting(KvRoute.Group::sources).containsExactly(List.of(0, 2), List.of(1));
        List<SegmentPlan> plans = new KvPlanner().plan(route, new int[] {1, 2}, new int[] {5, 6}, 0);
        assertThat(plans.get(0).length(0)).isEqualTo(128);
        assertThat(plans.get(1).length(0)).isEqualTo(256);
    }

    @Test
    void ofRanksWithTheSameHeadsOneWrites() {
        for (int decodeTp : List.of(1, 2, 4)) {
            for (int decodeRank = 0; decodeRank < decodeTp; decodeRank++) {
                RankMapping mapping = RankMapping.of(
                        new DecodeShape(decodeTp, decodeRank, 1, 1, 0), new PrefillShape(8, 1, 1, false), false);
                KvSide decode = side(decodeTp, decodeRank, 1, "", false, 2, 2, decodeTp == 1 ? 16 : 8);
                List<Integer> writers = mapping.targetTpRanks().stream()
                        .filter(rank -> KvRoute.between(side(8, rank, 1, "", false, 2, 2, 8), decode)
                                .writes())
                        .toList();
                assertThat(writers).hasSize(decodeTp == 1 ? 2 : 1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 3", "3, 4", "6, 4"})
    void tpSizesThatDoNotDivideAreRefused(int prefillTp, int decodeTp) {
        assertThatThrownBy(() -> RankMapping.of(
                        new DecodeShape(decodeTp, 0, 1, 1, 0), new PrefillShape(prefillTp, 1, 1, false), true))
                .hasMessageContainingAll("TP size " + prefillTp, "TP size " + decodeTp);
    }

    @Test
    void decodeCpAndOtherPipelinesAreRefused() {
        PrefillShape prefill = new PrefillShape(2, 1, 4, false);
        assertThatThrownBy(() -> RankMapping.of(new DecodeShape(2, 0, 2, 1, 0), prefill, false))
                .hasMessageContaining("CP size 2");
        assertThatThrownBy(() -> RankMapping.of(new DecodeShape(2, 0, 1, 2, 0), prefill, false))
                .hasMessageContainingAll("PP size 2", "PP size 4");
    }

    @Test
    void aChunkBeyondTheRoomsPagesIsRefused() {
        KvRoute route = KvRoute.between(PREFILL, PREFILL);
        assertThatThrownBy(() -> new KvPlanner().plan(route, new int[] {1, 2}, new int[] {1, 2}, 1))
                .hasMessageContainingAll("2 pages", "position 1", "2 destination");
    }

    /** Nothing may be allocated per page once the arrays have grown. */
    @ParameterizedTest
    @CsvSource({"2, 1024", "4, 512"})
    void aWarmPlannerAllocatesNothingPerPage(int decodeTp, long item) {
        KvRoute route = KvRoute.between(PREFILL, side(decodeTp, decodeTp - 1, 16, "bf16", false, 8, 4, item));
        KvPlanner planner = new KvPlanner();
        int[] pages = IntStream.range(0, 4096).map(i -> i * 2).toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().threadId();
        List<Long> each = IntStream.range(0, 50)
                .mapToObj(i -> {
                    long before = threads.getThreadAllocatedBytes(id);
                    planner.plan(route, pages, pages, 0);
                    return threads.getThreadAllocatedBytes(id) - before;
                })
                .collect(Collectors.toList());
        assertThat(each.get(49)).as("bytes per call, of %s", each).isLessThan(1024);
    }

    private static void assertRefused(KvSide prefill, KvSide decode, String... parts) {
        assertThatThrownBy(() -> KvRoute.between(prefill, decode))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE))
                .hasMessageContainingAll(parts);
    }
}
