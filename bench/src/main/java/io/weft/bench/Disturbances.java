package io.weft.bench;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What a cancel costs the transfers beside it, and how long a fence takes while transfers run. One engine in this process writes
 * to one in another. Arguments: rounds of 64 transfers of 1 MiB, of which every second one cancels one; fences.
 */
public final class Disturbances {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RUNNING = 64;
    private static final int BYTES = 1 << 20;

    private Disturbances() {}

    /**
     * Runs the measurement, or with the argument {@code serve} the other process.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("serve")) {
            serve();
            return;
        }
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 400;
        int fences = args.length > 1 ? Integer.parseInt(args[1]) : 50;
        Process other = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Disturbances.class.getName(),
                        "serve")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (TransferEngine engine = Weft.builder().name("disturbed").open()) {
            BufferedReader lines = other.inputReader(StandardCharsets.UTF_8);
            EngineDescriptor peer = Descriptors.unpackEngine(HexFormat.of().parseHex(lines.readLine()));
            MemoryDescriptor target = Descriptors.unpackMemory(HexFormat.of().parseHex(lines.readLine()));
            engine.addPeer(peer);
            Region source = engine.allocate(MemoryLocation.HOST, (long) RUNNING * BYTES, RegisterOptions.DEFAULT);
            cancels(engine, source, target, rounds);
            fences(engine, source, target, peer.key(), fences);
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private static void cancels(TransferEngine engine, Region source, MemoryDescriptor target, int rounds)
            throws InterruptedException {
        Histogram alone = new Histogram(3);
        Histogram beside = new Histogram(3);
        int cancelled = 0;
        for (int round = -rounds / 4; round < rounds; round++) {
            boolean cancels = (round & 1) != 0;
            Transfer[] transfers = new Transfer[RUNNING];
            long[] took = new long[RUNNING];
            CountDownLatch ended = new CountDownLatch(RUNNING);
            for (int i = 0; i < RUNNING; i++) {
                int at = i;
                long posted = System.nanoTime();
                transfers[i] = write(engine, source, target, i);
                transfers[i].onCompletion(done -> {
                    took[at] = System.nanoTime() - posted;
                    ended.countDown();
                });
            }
            int victim = RUNNING / 2;
            if (cancels) {
                transfers[victim].cancel();
            }
            if (!ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("transfers did not end in " + PATIENCE);
            }
            cancelled += transfers[victim].state() == TransferState.CANCELLED ? 1 : 0;
            for (int i = 0; i < RUNNING && round >= 0; i++) {
                if (i != victim) {
                    (cancels ? beside : alone).recordValue(took[i]);
                }
            }
        }
        print("64 transfers of 1 MiB", alone);
        print("63 of them beside a cancel", beside);
        System.out.println("  cancelled before they had ended: " + cancelled);
    }

    private static void fences(TransferEngine engine, Region source, MemoryDescriptor target, String peer, int fences)
            throws InterruptedException {
        Histogram fence = new Histogram(3);
        Histogram after = new Histogram(3);
        for (int round = 0; round < fences; round++) {
            Transfer[] transfers = new Transfer[RUNNING];
            for (int i = 0; i < RUNNING; i++) {
                transfers[i] = write(engine, source, target, i);
            }
            long began = System.nanoTime();
            if (!engine.fence(peer, PATIENCE)) {
                throw new IllegalStateException("the fence did not end in " + PATIENCE);
            }
            long fenced = System.nanoTime();
            fence.recordValue(fenced - began);
            for (Transfer transfer : transfers) {
                transfer.await(PATIENCE);
            }
            TransferState state;
            do {
                state = write(engine, source, target, 0).await(PATIENCE);
            } while (state != TransferState.SUCCEEDED && System.nanoTime() - fenced < PATIENCE.toNanos());
            after.recordValue(System.nanoTime() - fenced);
        }
        print("fence with 64 transfers running", fence);
        print("from its end to the next transfer's success", after);
    }

    private static Transfer write(TransferEngine engine, Region source, MemoryDescriptor target, int at) {
        long offset = (long) at * BYTES;
        return engine.write(source, offset, target, offset, BYTES, TransferOptions.DEFAULT);
    }

    private static void print(String what, Histogram nanos) {
        double[] millis = Arrays.stream(new double[] {50, 99, 100})
                .map(percent -> nanos.getValueAtPercentile(percent) / 1e6)
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: p50 %.2f ms, p99 %.2f ms, max %.2f ms of %d%n",
                what,
                millis[0],
                millis[1],
                millis[2],
                nanos.getTotalCount());
    }

    private static void serve() throws IOException {
        try (TransferEngine engine = Weft.builder().name("disturbed-target").open()) {
            Region region = engine.allocate(MemoryLocation.HOST, (long) RUNNING * BYTES, RegisterOptions.DEFAULT);
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        }
    }
}
