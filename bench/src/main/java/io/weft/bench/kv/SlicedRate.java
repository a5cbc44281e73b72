package io.weft.bench.kv;

import io.weft.bootstrap.BootstrapClient;
import io.weft.bootstrap.BootstrapServer;
import io.weft.bootstrap.BootstrapSettings;
import io.weft.kv.DecodeManager;
import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.PrefillManager;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The same rooms over tcp from one prefill rank (TP 1) to one decode rank (TP 1), page by page, and to two (TP 2), whose heads are
 * sliced out of every token. Rounds alternate, so that both meet the same load. A rate is bytes over the time from metadata to
 * success at every decode rank; what arrived in the first and last page is compared. Arguments: bytes of a slice, rounds, pages.
 */
public final class SlicedRate {
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
    private static final int LAYERS = 8;
    private static final int ROOMS_PER_ROUND = 10;

    private final String registry;
    private final BenchRank source;
    private final PrefillManager prefill;
    private final BenchRank.Shape shape;
    private final Random random = new Random(1);
    private long room;

    private SlicedRate(String registry, BenchRank source, PrefillManager prefill, BenchRank.Shape shape) {
        this.registry = registry;
        this.source = source;
        this.prefill = prefill;
        this.shape = shape;
    }

    /** A decode rank. */
    private record Target(BenchRank rank, DecodeManager manager) {}

    /**
     * Runs the measurement.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        int slice = args.length > 0 ? Integer.parseInt(args[0]) : 2_048;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
        int pages = args.length > 2 ? Integer.parseInt(args[2]) : 64;
        BenchRank.Shape shape = new BenchRank.Shape(LAYERS, 2 * slice / BenchRank.HEAD_BYTES, 2 * pages, 4);
        try (BootstrapServer server = BootstrapServer.start(BootstrapSettings.of("127.0.0.1", 0, null));
                BootstrapClient directory = new BootstrapClient(null, Duration.ofSeconds(2))) {
            String registry = "127.0.0.1:" + server.port();
            try (BenchRank p = new BenchRank("io-prefill", 1, 0, shape, registry);
                    BenchRank whole = new BenchRank("io-decode", 1, 0, shape, registry);
                    BenchRank first = new BenchRank("io-decode-tp0", 2, 0, shape, registry);
                    BenchRank second = new BenchRank("io-decode-tp1", 2, 1, shape, registry);
                    PrefillManager prefill = PrefillManager.open(p.engine, p.config, BenchRank.settings(), directory);
                    DecodeManager a = DecodeManager.open(whole.engine, whole.config, BenchRank.settings(), directory);
                    DecodeManager b = DecodeManager.open(first.engine, first.config, BenchRank.settings(), directory);
                    DecodeManager c =
                            DecodeManager.open(second.engine, second.config, BenchRank.settings(), directory)) {
                new SlicedRate(registry, p, prefill, shape)
                        .compare(
                                List.of(new Target(whole, a)),
                                List.of(new Target(first, b), new Target(second, c)),
                                pages,
                                rounds);
            }
        }
    }

    private void compare(List<Target> same, List<Target> sliced, int pages, int rounds) {
        double[] ratios = new double[rounds];
        double[] alike = new double[rounds];
        double[] cut = new double[rounds];
        for (int i = -3; i < rounds; i++) {
            double page = round(same, pages);
            double slice = round(sliced, pages);
            if (i >= 0) {
                alike[i] = page;
                cut[i] = slice;
                ratios[i] = slice / page;
            }
        }
        Arrays.sort(ratios);
        Arrays.sort(alike);
        Arrays.sort(cut);
        int middle = rounds / 2;
        System.out.printf(
                Locale.ROOT,
                "slices of %d bytes, %d pages x %d tensors, %.1f MiB a room: same TP %.2f GB/s (%.2f to %.2f), sliced %.2f"
                        + " (%.2f to %.2f), ratio %.2f (%.2f to %.2f), load %.1f%n",
                shape.itemLen(2) / BenchRank.PAGE_SIZE,
                pages,
                2 * LAYERS,
                bytes(pages) / 1048576.0,
                alike[middle],
                alike[0],
                alike[rounds - 1],
                cut[middle],
                cut[0],
                cut[rounds - 1],
                ratios[middle],
                ratios[0],
                ratios[rounds - 1],
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private long bytes(int pages) {
        return pages * shape.itemLen(1) * 2 * LAYERS;
    }

    /** The rate of some rooms, one after the other, in GB/s. */
    private double round(List<Target> targets, int pages) {
        source.mark(random.nextLong());
        int[] from = {};
        int[] to = {};
        long nanos = 0;
        for (int i = 0; i < ROOMS_PER_ROUND; i++) {
            from = somePages(pages);
            to = somePages(pages);
            nanos += transfer(targets, from, to);
        }
        for (int t = 0; t < targets.size(); t++) {
            verify(targets.get(t).rank(), targets.size(), t, from, to);
        }
        return (double) bytes(pages) * ROOMS_PER_ROUND / nanos;
    }

    private long transfer(List<Target> targets, int[] from, int[] to) {
        long id = ++room;
        KvSender sender = prefill.sender(id);
        sender.init(from.length, 0);
        sender.send(KvChunk.of(from, true));
        long begun = System.nanoTime();
        List<KvReceiver> receivers = targets.stream()
                .map(t -> {
                    KvReceiver receiver = t.manager().receiver(registry, id);
                    receiver.init(KvReceiver.ANY_DP_RANK);
                    receiver.sendMetadata(to, 1, null, 0);
                    return receiver;
                })
                .toList();
        for (KvReceiver receiver : receivers) {
            while (!receiver.poll().isTerminal()) {
                require(System.nanoTime() - begun < PATIENCE, "room " + id + " does not end");
                LockSupport.parkNanos(20_000);
            }
            require(receiver.poll() == KvPoll.SUCCESS, String.valueOf(receiver.failure()));
        }
        long nanos = System.nanoTime() - begun;
        while (!sender.poll().isTerminal()) {
            LockSupport.parkNanos(20_000);
        }
        for (KvReceiver receiver : receivers) {
            while (!receiver.lease().state().isReleased()) {
                LockSupport.parkNanos(20_000);
            }
            receiver.clear();
        }
        sender.clear();
        return nanos;
    }

    private void verify(BenchRank rank, int tp, int tpRank, int[] from, int[] to) {
        long wide = shape.itemLen(1) / BenchRank.PAGE_SIZE;
        long narrow = wide / tp;
        for (int i = 0; i < from.length; i += from.length - 1) {
            for (int token = 0; token < BenchRank.PAGE_SIZE; token++) {
                long here = from[i] * shape.itemLen(1) + token * wide + tpRank * narrow;
                long there = to[i] * shape.itemLen(tp) + token * narrow;
                for (int buffer = 0; buffer < 2 * LAYERS; buffer++) {
                    require(
                            MemorySegment.mismatch(
                                            source.kv(buffer),
                                            here,
                                            here + narrow,
                                            rank.kv(buffer),
                                            there,
                                            there + narrow)
                                    < 0,
                            "page " + to[i] + " of buffer " + buffer + " is not as sent");
                }
            }
        }
    }

    /** Distinct pages in runs of four, the runs in random order. */
    private int[] somePages(int count) {
        int[] runs = IntStream.range(0, shape.pages() / 4).toArray();
        for (int i = runs.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = runs[i];
            runs[i] = runs[other];
            runs[other] = swapped;
        }
        return IntStream.range(0, count).map(i -> runs[i / 4] * 4 + i % 4).toArray();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
