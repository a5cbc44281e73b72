package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.Priority;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Limits;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.ReferenceModel;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded random transfers between two engines, held against a model; with a backend of small limits, and with faults. */
@Timeout(120)
class EngineRandomTest {
    private static final int REGION_BYTES = 40_000;
    private static final int ROUNDS = Integer.getInteger("weft.test.rounds", 40);

    static LongStream seeds() {
        long first = Long.getLong("weft.test.seed", System.nanoTime());
        return LongStream.range(first, first + 5);
    }

    private record Moving(Transfer transfer, List<int[]> segments, int from, int to) {}

    private static BackendProvider withLimits(BackendProvider delegate, Limits limits) {
        return new ForwardingProvider(delegate) {
            @Override
            public Backend open(BackendContext context) {
                return new ForwardingBackend(super.open(context)) {
                    @Override
                    public Limits limits() {
                        return limits;
                    }
                };
            }
        };
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void plain(long seed) throws InterruptedException {
        run(seed, new MemProvider(), false, Map.of());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void withSmallLimits(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Limits limits = Limits.NONE
                .withSegmentsPerOperation(1 + random.nextInt(5))
                .withSegmentBytes(1 + random.nextInt(3_000))
                .withOperationBytes(1 + random.nextInt(5_000))
                .withOperationsInFlight(1 + random.nextInt(4));
        run(
                seed,
                withLimits(new MemProvider(), limits),
                false,
                Map.of("weft.transfer.piece", "4096B", "weft.transfer.window", "8192B", "weft.link.window", "8192B"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void withFaults(long seed) throws InterruptedException {
        run(
                seed,
                new FaultyProvider(new MemProvider(), seed, FaultPlan.MIXED),
                true,
                Map.of("weft.transfer.piece", "4096B", "weft.transfer.cancel-grace", "5ms"));
    }

    private static void run(long seed, BackendProvider provider, boolean faults, Map<String, String> options)
            throws InterruptedException {
        Random random = new Random(seed);
        AssertingProvider asserting = faults ? AssertingProvider.ofCore(provider) : AssertingProvider.of(provider);
        try (TwoEngines engines = new TwoEngines(asserting, options)) {
            List<Region> mine = List.of(
                    TwoEngines.random(engines.a, REGION_BYTES, random),
                    TwoEngines.random(engines.a, REGION_BYTES, random));
            List<Region> theirs = List.of(
                    TwoEngines.random(engines.b, REGION_BYTES, random),
                    TwoEngines.random(engines.b, REGION_BYTES, random));
            ReferenceModel model = new ReferenceModel();
            for (int i = 0; i < 2; i++) {
                model.region("mine" + i, TwoEngines.memory(mine.get(i)));
                model.region("theirs" + i, TwoEngines.memory(theirs.get(i)));
            }
            for (int round = 0; round < ROUNDS; round++) {
                boolean write = random.nextBoolean();
                List<Moving> moving = start(random, engines.a, mine, theirs, write, faults);
                for (Moving each : moving) {
                    settle(each, model, write, faults, seed);
                }
                for (int i = 0; i < 2; i++) {
                    assertThat(model.observe("mine" + i, TwoEngines.memory(mine.get(i))))
                            .as("seed %d", seed)
                            .isEmpty();
                    assertThat(model.observe("theirs" + i, TwoEngines.memory(theirs.get(i))))
                            .as("seed %d", seed)
                            .isEmpty();
                }
            }
            var stats = engines.a.stats();
            assertThat(stats.inFlight()).isZero();
            assertThat(stats.started()).isEqualTo(stats.succeeded() + stats.failed() + stats.cancelled());
        }
    }

    /** Several transfers at once, whose destinations share no byte, so that the model need not know their order. */
    private static List<Moving> start(
            Random random,
            TransferEngine engine,
            List<Region> mine,
            List<Region> theirs,
            boolean write,
            boolean faults) {
        int transfers = 1 + random.nextInt(6);
        List<Moving> moving = new ArrayList<>();
        for (int t = 0; t < transfers; t++) {
            int from = random.nextInt(2);
            int to = random.nextInt(2);
            // Destinations are disjoint by transfer: each has its own stripe of both regions. Sources are not written
            // now.
            int stripe = REGION_BYTES / transfers;
            List<int[]> segments = segments(random, t * stripe, stripe);
            SegmentTable table = table(segments, write);
            RegionPair pair = new RegionPair(
                    mine.get(write ? from : to), theirs.get(write ? to : from).descriptor());
            TransferOptions options = TransferOptions.DEFAULT
                    .withDeadline(Duration.ofSeconds(10))
                    .withPriority(Priority.values()[random.nextInt(3)]);
            List<SharedSegments> parts = List.of(new SharedSegments(List.of(pair), table));
            Transfer transfer = write ? engine.writeMulti(parts, options) : engine.readMulti(parts, options);
            if (faults && random.nextInt(6) == 0) {
                transfer.cancel();
            }
            moving.add(new Moving(transfer, segments, from, to));
        }
        return moving;
    }

    private static List<int[]> segments(Random random, int first, int bytes) {
        List<int[]> segments = new ArrayList<>();
        int at = first;
        while (at < first + bytes && segments.size() < 60) {
            int length = Math.min(first + bytes - at, random.nextInt(random.nextInt(8) == 0 ? 4_000 : 200));
            segments.add(new int[] {random.nextInt(REGION_BYTES - length + 1), at, length});
            at += length + (random.nextBoolean() ? 0 : random.nextInt(50));
        }
        if (random.nextBoolean()) {
            Collections.shuffle(segments, random);
        }
        return segments;
    }

    private static SegmentTable table(List<int[]> segments, boolean write) {
        int n = segments.size();
        long[] sources = new long[n];
        long[] destinations = new long[n];
        long[] lengths = new long[n];
        for (int i = 0; i < n; i++) {
            sources[i] = segments.get(i)[0];
            destinations[i] = segments.get(i)[1];
            lengths[i] = segments.get(i)[2];
        }
        return write
                ? SegmentTable.of(sources, destinations, lengths)
                : SegmentTable.of(destinations, sources, lengths);
    }

    private static void settle(Moving moving, ReferenceModel model, boolean write, boolean faults, long seed)
            throws InterruptedException {
        TransferState end = moving.transfer.await(Duration.ofSeconds(20));
        assertThat(end.isTerminal()).as("seed %d: %s", seed, moving.transfer).isTrue();
        if (!faults) {
            assertThat(end).as("seed %d: %s", seed, moving.transfer).isEqualTo(TransferState.SUCCEEDED);
        } else if (end == TransferState.FAILED) {
            assertThat(moving.transfer.code())
                    .as("seed %d: %s", seed, moving.transfer)
                    .contains(ErrorCode.FABRIC);
        }
        String from = (write ? "mine" : "theirs") + moving.from;
        String to = (write ? "theirs" : "mine") + moving.to;
        for (int[] s : moving.segments) {
            if (end == TransferState.SUCCEEDED) {
                model.moved(from, s[0], to, s[1], s[2]);
            } else {
                model.mayHaveMoved(from, s[0], to, s[1], s[2]);
            }
        }
    }
}
