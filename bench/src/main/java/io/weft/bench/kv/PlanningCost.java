package io.weft.bench.kv;

import com.sun.management.ThreadMXBean;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.RegisterOptions;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.kv.plan.KvPlanner;
import io.weft.kv.plan.KvRoute;
import io.weft.kv.plan.KvSide;
import io.weft.kv.plan.SegmentPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What it costs to plan a room's pages and hand them to the engine, beside the same work done the way the original connector
 * does it, in numpy ({@code bench/planning.py}): every round measures both, and the ratio of their medians is printed. Fresh
 * random pages each time; the engine's fabric completes everything at once. Arguments: the python to use, number of rounds.
 */
public final class PlanningCost {
    private static final int TENSORS = 64;
    private static final int WARM_UP = 300;
    private static final int MEASURED = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private PlanningCost() {}

    /**
     * One case.
     *
     * @param pages pages of the room
     * @param pageSize tokens per page
     * @param heterogeneous whether heads are sliced between TP 2 and TP 4
     */
    private record Case(String name, int pages, int pageSize, boolean heterogeneous) {
        KvSide side(int tp, int rank) {
            long item = 512L / tp * pageSize;
            return new KvSide(
                    tp, rank, pageSize, "", false, 8, 0, TENSORS, Collections.nCopies(TENSORS, item), List.of());
        }

        int poolPages() {
            return 4 * pages;
        }
    }

    /**
     * Medians per room.
     *
     * @param planMicros until the segments are known
     * @param submitMicros from there until the engine has taken and, the fabric doing nothing, finished them
     * @param bytesAllocated by the calling thread
     */
    private record Cost(double planMicros, double submitMicros, double bytesAllocated) {}

    /**
     * Runs both sides.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        String python = args.length > 0 ? args[0] : "python3";
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        List<Case> cases = List.of(
                new Case("8192 pages x 64 tensors, grouped", 8192, 1, false),
                new Case("2048 pages x 16 tokens x 64 tensors, sliced", 2048, 16, true));
        for (Case c : cases) {
            double[] ratios = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                double theirs = numpyMicros(python, c);
                Cost ours = measure(c);
                ratios[i] = theirs / (ours.planMicros() + ours.submitMicros());
                System.out.printf(
                        Locale.ROOT,
                        "%s: numpy %.0f us, weft plan %.1f us + submit %.1f us, %.0f bytes allocated, ratio %.1f, load %.1f%n",
                        c.name(),
                        theirs,
                        ours.planMicros(),
                        ours.submitMicros(),
                        ours.bytesAllocated(),
                        ratios[i],
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            }
            Arrays.sort(ratios);
            System.out.printf(
                    Locale.ROOT,
                    "%s: median ratio %.1f (%.1f to %.1f)%n",
                    c.name(),
                    ratios[rounds / 2],
                    ratios[0],
                    ratios[rounds - 1]);
        }
    }

    private static double numpyMicros(String python, Case c) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        python,
                        "bench/planning.py",
                        c.heterogeneous() ? "sliced" : "grouped",
                        Integer.toString(c.pages()),
                        Integer.toString(c.pageSize()),
                        Integer.toString(TENSORS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("bench/planning.py failed");
        }
        return Double.parseDouble(out.strip());
    }

    private static Cost measure(Case c) throws InterruptedException {
        NullProvider provider = new NullProvider();
        try (TransferEngine source = engine("source", provider);
                TransferEngine target = engine("target", provider)) {
            source.addPeer(target.descriptor());
            KvSide here = c.side(2, 1);
            KvSide there = c.heterogeneous() ? c.side(4, 2) : here;
            KvRoute route = KvRoute.between(here, there);
            List<RegionPair> pairs = pairs(source, target, c, here, there);
            return run(source, route, pairs, c);
        }
    }

    private static Cost run(TransferEngine engine, KvRoute route, List<RegionPair> pairs, Case c)
            throws InterruptedException {
        KvPlanner planner = new KvPlanner();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        Random random = new Random(1);
        double[] plan = new double[MEASURED];
        double[] submit = new double[MEASURED];
        double[] allocated = new double[MEASURED];
        for (int i = -WARM_UP; i < MEASURED; i++) {
            int[] from = randomRuns(random, c);
            int[] to = randomRuns(random, c);
            long bytes = threads.getThreadAllocatedBytes(self);
            long start = System.nanoTime();
            List<SegmentPlan> plans = planner.plan(route, from, to, 0);
            long planned = System.nanoTime();
            Transfer transfer = engine.writeMulti(
                    List.of(new SharedSegments(pairs, plans.getFirst().table())), TransferOptions.DEFAULT);
            TransferState ended = transfer.await(PATIENCE);
            long submitted = System.nanoTime();
            bytes = threads.getThreadAllocatedBytes(self) - bytes;
            if (ended != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer.text());
            }
            if (i >= 0) {
                plan[i] = (planned - start) / 1e3;
                submit[i] = (submitted - planned) / 1e3;
                allocated[i] = bytes;
            }
        }
        return new Cost(median(plan), median(submit), median(allocated));
    }

    /** Runs of pages as a pool hands them out: mean length about four, each page once. */
    private static int[] randomRuns(Random random, Case c) {
        int[] order = IntStream.range(0, c.poolPages() / 4).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        int[] pages = new int[c.pages()];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = order[i / 4] * 4 + i % 4;
        }
        return pages;
    }

    private static List<RegionPair> pairs(
            TransferEngine source, TransferEngine target, Case c, KvSide here, KvSide there) {
        return IntStream.range(0, TENSORS)
                .mapToObj(i -> new RegionPair(
                        region(source, c.poolPages() * here.itemLens().getFirst()),
                        descriptor(target, c.poolPages() * there.itemLens().getFirst())))
                .toList();
    }

    private static Region region(TransferEngine engine, long bytes) {
        return engine.allocate(MemoryLocation.HOST, bytes, RegisterOptions.DEFAULT);
    }

    private static MemoryDescriptor descriptor(TransferEngine engine, long bytes) {
        return region(engine, bytes).descriptor();
    }

    private static TransferEngine engine(String name, NullProvider provider) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("")))
                .name(name)
                .provider(provider)
                .open();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
