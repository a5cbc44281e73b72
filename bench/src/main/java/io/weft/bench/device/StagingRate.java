package io.weft.bench.device;

import com.sun.management.OperatingSystemMXBean;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.engine.Weft;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes between two engines of one process over tcp, host to host and device to device in turns of a fifth of a second, so
 * that both meet the same load. Prints rates, processor time per gigabyte of the whole process, and the ratio of each pair of turns.
 * Arguments: bytes of a segment, segments of a transfer, transfers in flight, turns, the device's memory:
 * {@code fake:0}, whose copies are the processor's, or {@code timed:0}, whose copies cost none.
 */
public final class StagingRate {
    private static final long TURN_NANOS = 200_000_000;
    private static final long WORKING_SET = 128L << 20;
    private static final int GAP = 64;
    private static final int WARM_UP = 15;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final TransferSession session;
    private final SegmentTable[] tables;
    private final long bytes;
    private final @Nullable Transfer[] flying;
    private final double[] rates;
    private final double[] costs;
    private int next;

    private StagingRate(TransferSession session, SegmentTable[] tables, long bytes, int inFlight, int turns) {
        this.session = session;
        this.tables = tables;
        this.bytes = bytes;
        this.flying = new Transfer[inFlight];
        this.rates = new double[turns];
        this.costs = new double[turns];
    }

    /**
     * Runs the measurement.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        int segment = args.length > 0 ? Integer.parseInt(args[0]) : 1 << 20;
        int batch = args.length > 1 ? Integer.parseInt(args[1]) : 16;
        int inFlight = args.length > 2 ? Integer.parseInt(args[2]) : 4;
        int turns = args.length > 3 ? Integer.parseInt(args[3]) : 15;
        MemoryLocation where = MemoryLocation.parse(args.length > 4 ? args[4] : "fake:0");
        try (TransferEngine here = engine("here");
                TransferEngine there = engine("there")) {
            here.addPeer(there.descriptor());
            StagingRate host = open(here, there, MemoryLocation.HOST, segment, batch, inFlight, turns);
            StagingRate device = open(here, there, where, segment, batch, inFlight, turns);
            double[] ratios = new double[turns];
            for (int i = -WARM_UP; i < turns; i++) {
                host.turn(i);
                device.turn(i);
                if (i >= 0) {
                    ratios[i] = device.rates[i] / host.rates[i];
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d x %d bytes, %d in flight: host %s GB/s at %s s/GB, device %s GB/s at %s s/GB, ratio %s, load %.1f%n",
                    batch,
                    segment,
                    inFlight,
                    spread(host.rates),
                    spread(host.costs),
                    spread(device.rates),
                    spread(device.costs),
                    spread(ratios),
                    SYSTEM.getSystemLoadAverage());
        }
    }

    private static TransferEngine engine(String name) {
        return Weft.builder().name(name).option("weft.backends.allow", "tcp").open();
    }

    private static StagingRate open(
            TransferEngine here,
            TransferEngine there,
            MemoryLocation where,
            int segment,
            int batch,
            int inFlight,
            int turns) {
        int slots = Math.toIntExact(Math.max(1, WORKING_SET / (segment + GAP) / batch)) * batch;
        long[] offsets =
                LongStream.range(0, slots).map(i -> i * (segment + GAP)).toArray();
        long[] lengths = new long[slots];
        Arrays.fill(lengths, segment);
        SegmentTable[] tables = new SegmentTable[slots / batch];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = SegmentTable.of(offsets, offsets, lengths, i * batch, (i + 1) * batch);
        }
        long all = (long) slots * (segment + GAP);
        Region local = here.allocate(where, all, RegisterOptions.DEFAULT);
        Region remote = there.allocate(where, all, RegisterOptions.DEFAULT);
        local.segment().ifPresent(memory -> memory.fill((byte) 1));
        remote.segment().ifPresent(memory -> memory.fill((byte) 2));
        return new StagingRate(
                here.session(local, remote.descriptor()), tables, (long) segment * batch, inFlight, turns);
    }

    private void turn(int index) throws InterruptedException {
        long cpu = SYSTEM.getProcessCpuTime();
        long began = System.nanoTime();
        int count = 0;
        do {
            finish(count % flying.length);
            flying[count % flying.length] = session.write(tables[next], TransferOptions.DEFAULT);
            next = (next + 1) % tables.length;
            count++;
        } while (System.nanoTime() - began < TURN_NANOS);
        for (int i = 0; i < flying.length; i++) {
            finish(i);
        }
        if (index >= 0) {
            double moved = (double) count * bytes;
            rates[index] = moved / (System.nanoTime() - began);
            costs[index] = (SYSTEM.getProcessCpuTime() - cpu) / moved;
        }
    }

    private void finish(int slot) throws InterruptedException {
        Transfer transfer = flying[slot];
        if (transfer != null) {
            TransferState state = transfer.await(PATIENCE);
            if (state != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer + " ended " + state + ": " + transfer.text());
            }
        }
        flying[slot] = null;
    }

    private static String spread(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT, "%.2f (%.2f to %.2f)", sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
