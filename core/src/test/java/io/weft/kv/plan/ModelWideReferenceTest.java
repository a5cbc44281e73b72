package io.weft.kv.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.kv.plan.RankMapping.DecodeShape;
import io.weft.kv.plan.RankMapping.PrefillShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rule KV-6: for any legal mix of layouts, carrying out the plans of all ranks leaves in every decode rank exactly what a
 * function of the whole model says, whoever wrote it, and nothing else.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ModelWideReferenceTest {
    private static final int PAGES = 12;

    /** One random model and the two parallel layouts that hold it. */
    record Model(
            int layers,
            int heads,
            int headBytes,
            int pageSize,
            boolean mla,
            int p,
            int pp,
            int cp,
            boolean allCp,
            int d,
            int dpp) {
        static Model random(Random random) {
            int[] sizes = {1, 2, 4, 8};
            int layers = 1 + random.nextInt(4);
            int pp = 1 + random.nextInt(layers);
            return new Model(
                    layers,
                    sizes[random.nextInt(4)] * (random.nextBoolean() ? 1 : 3),
                    1 + random.nextInt(5),
                    1 + random.nextInt(4),
                    random.nextInt(4) == 0,
                    sizes[random.nextInt(4)],
                    pp,
                    1 + random.nextInt(3),
                    random.nextBoolean(),
                    sizes[random.nextInt(4)],
                    random.nextBoolean() ? pp : 1);
        }

        boolean legal() {
            return mla || ((heads % p == 0 || p % heads == 0) && (heads % d == 0 || d % heads == 0));
        }

        int firstLayer(int stage, int stages) {
            return layers / stages * stage + Math.min(stage, layers % stages);
        }

        HeadShare share(int tp, int rank) {
            return mla ? new HeadShare(0, 1, tp) : HeadShare.of("test", heads, tp, rank);
        }

        KvSide side(int tp, int rank, int stage, int stages, boolean tellsLayers) {
            int first = firstLayer(stage, stages);
            int held = firstLayer(stage + 1, stages) - first;
            int buffers = mla ? held : 2 * held;
            long item = (long) pageSize * share(tp, rank).count() * headBytes;
            List<Integer> ids =
                    IntStream.range(0, buffers).mapToObj(i -> first + i % held).toList();
            List<Long> lens = IntStream.range(0, buffers).mapToObj(i -> item).toList();
            return new KvSide(
                    tp, rank, pageSize, "f", mla, mla ? 0 : heads, first, buffers, lens, tellsLayers ? ids : List.of());
        }

        byte value(int kind, int layer, int page, int token, int head, int b) {
            int h = kind * 7919
                    + layer * 104_729
                    + page * 1_299_709
                    + token * 15_485_863
                    + head * 32_452_843
                    + b * 49_979_687;
            h ^= h >>> 15;
            return (byte) (h * 0x2C1B3C6D >>> 24 | 1);
        }
    }

    static LongStream seeds() {
        return Seeds.seeds(300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyDecodeRankHoldsWhatTheModelSays(long seed) {
        Random random = new Random(seed);
        Model model = Model.random(random);
        while (!model.legal()) {
            model = Model.random(random);
        }
        int count = 1 + random.nextInt(PAGES / 2);
        int[] source = distinct(random, count);
        int[] destination = distinct(random, count);
        int cut = random.nextInt(count + 1);
        boolean told = random.nextBoolean();
        for (int stage = 0; stage < model.dpp(); stage++) {
            for (int rank = 0; rank < model.d(); rank++) {
                byte[][] memory = receive(model, rank, stage, source, destination, cut, told);
                assertThat(memory)
                        .as("%s decode rank %d stage %d", model, rank, stage)
                        .isDeepEqualTo(expected(model, rank, stage, source, destination));
            }
        }
    }

    private static byte[][] receive(
            Model m, int rank, int stage, int[] source, int[] destination, int cut, boolean told) {
        PrefillShape prefill = new PrefillShape(m.p(), m.cp(), m.pp(), m.allCp());
        RankMapping mapping = RankMapping.of(new DecodeShape(m.d(), rank, 1, m.dpp(), stage), prefill, m.mla());
        KvSide there = m.side(m.d(), rank, stage, m.dpp(), told);
        byte[][] memory =
                new byte[there.buffers()][(int) (PAGES * there.itemLens().getFirst())];
        int responses = 0;
        for (int tp : mapping.targetTpRanks()) {
            for (int pp : mapping.targetPpRanks()) {
                for (int cp : mapping.targetCpRanks()) {
                    if (mapping.isDummy(tp)) {
                        continue;
                    }
                    responses++;
                    KvSide here = m.side(m.p(), tp, pp, m.pp(), told);
                    KvRoute route = KvRoute.between(here, there);
                    Range share = mapping.targetCpRanks().size() == 1
                            ? new Range(0, source.length)
                            : CpShare.of(source.length, m.cp(), cp).bounds();
                    send(m, here, route, share, source, destination, cut, memory);
                }
            }
        }
        assertThat(responses).isEqualTo(mapping.requiredResponses());
        assertThat(mapping.sendingRanks().cardinality()).isEqualTo(responses);
        return memory;
    }

    /** Two chunks, each cut down to the sender's share, applied to the memory byte for byte. */
    private static void send(
            Model m,
            KvSide here,
            KvRoute route,
            Range share,
            int[] source,
            int[] destination,
            int cut,
            byte[][] memory) {
        if (!route.writes()) {
            return;
        }
        KvPlanner planner = new KvPlanner();
        for (Range chunk : List.of(new Range(0, cut), new Range(cut, source.length))) {
            Range part = new CpShare(share).within(chunk);
            int[] pages = Arrays.copyOfRange(source, part.from(), part.to());
            List<SegmentPlan> plans = planner.plan(route, pages, destination, part.from());
            for (int g = 0; g < route.groups().size(); g++) {
                KvRoute.Group group = route.groups().get(g);
                for (int k = 0; k < group.sources().size(); k++) {
                    byte[] from = content(m, here, group.sources().get(k));
                    copy(plans.get(g), from, memory[group.destinations().get(k)]);
                }
            }
        }
    }

    private static void copy(SegmentPlan plan, byte[] from, byte[] to) {
        for (int i = 0; i < plan.size(); i++) {
            System.arraycopy(from, (int) plan.localOffset(i), to, (int) plan.remoteOffset(i), (int) plan.length(i));
        }
    }

    private static byte[] content(Model m, KvSide side, int buffer) {
        byte[] bytes = new byte[(int) (PAGES * side.itemLens().getFirst())];
        for (int page = 0; page < PAGES; page++) {
            fill(m, side, buffer, page, page, bytes);
        }
        return bytes;
    }

    private static byte[][] expected(Model m, int rank, int stage, int[] source, int[] destination) {
        KvSide side = m.side(m.d(), rank, stage, m.dpp(), true);
        byte[][] memory =
                new byte[side.buffers()][(int) (PAGES * side.itemLens().getFirst())];
        for (int buffer = 0; buffer < side.buffers(); buffer++) {
            for (int i = 0; i < source.length; i++) {
                fill(m, side, buffer, source[i], destination[i], memory[buffer]);
            }
        }
        return memory;
    }

    /** Writes the model's page into a slot of a rank's buffer, head by global head. */
    private static void fill(Model m, KvSide side, int buffer, int modelPage, int slot, byte[] bytes) {
        int held = m.mla() ? side.buffers() : side.buffers() / 2;
        HeadShare share = m.share(side.tpSize(), side.tpRank());
        int at = (int) (slot * side.itemLens().getFirst());
        for (int token = 0; token < m.pageSize(); token++) {
            for (int head = 0; head < share.count(); head++) {
                for (int b = 0; b < m.headBytes(); b++) {
                    bytes[at++] = m.value(
                            buffer / held,
                            side.startLayer() + buffer % held,
                            modelPage,
                            token,
                            share.first() + head,
                            b);
                }
            }
        }
    }

    private static int[] distinct(Random random, int count) {
        Set<Integer> pages = new HashSet<>();
        List<Integer> order = new ArrayList<>();
        while (order.size() < count) {
            int page = random.nextInt(PAGES);
            int run = 1 + random.nextInt(3);
            for (int i = 0; i < run && page + i < PAGES && order.size() < count; i++) {
                if (pages.add(page + i)) {
                    order.add(page + i);
                }
            }
        }
        return order.stream().mapToInt(i -> i).toArray();
    }
}
