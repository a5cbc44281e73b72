package io.weft.cli.bench;

import com.sun.management.ThreadMXBean;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Receipt;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measures rows between this process and a {@link BenchTarget}. Confined to one thread. */
public final class BenchRun implements AutoCloseable {
    /** How a caller waits for a transfer's end. */
    public enum Wait {
        /** {@link Transfer#await}: spins a little, yields, parks. */
        ADAPTIVE,
        /** Looks at the state without pause, as a caller does that has a processor to itself. */
        SPIN
    }

    /**
     * What to measure besides sizes.
     *
     * @param write or read
     * @param seconds time measured
     * @param warmupSeconds time before that
     * @param inFlight transfers posted before the oldest is waited for
     * @param waiting how to wait
     */
    public record Settings(boolean write, double seconds, double warmupSeconds, int inFlight, Wait waiting) {}

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long VERIFY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Settings settings;
    private final BenchEngine open;
    private final BenchChild child;
    private final TransferEngine engine;
    private final Histogram histogram = new Histogram(LONGEST_NANOS, 3);

    /**
     * Starts both processes.
     *
     * @param open how to open the engine here
     * @param options its options
     * @param settings what to measure
     * @param target command line of the other process
     * @throws IOException if that does not start
     */
    public BenchRun(BenchEngine open, Map<String, String> options, Settings settings, List<String> target)
            throws IOException {
        this.open = open;
        this.settings = settings;
        this.child = new BenchChild(target);
        try {
            engine = open.open("bench", options);
        } catch (RuntimeException failed) {
            child.close();
            throw failed;
        }
        engine.addPeer(child.engine());
    }

    /**
     * Measures one row.
     *
     * @param plan which bytes
     * @return the result
     * @throws IOException if the other process ended
     * @throws InterruptedException if this thread was interrupted
     */
    public BenchRow measure(BenchPlan plan) throws IOException, InterruptedException {
        MemoryDescriptor remote = child.plan(plan, settings.write());
        try (BenchMemory memory = new BenchMemory(open, engine, plan.regionBytes())) {
            Pattern.fill(memory.bytes(), 1);
            memory.push();
            try (TransferSession session = engine.session(memory.region(), remote)) {
                Mover mover = new Mover(plan, session, settings.write());
                run(plan, mover, (long) (settings.warmupSeconds() * 1e9));
                histogram.reset();
                long allocated = threads.getTotalThreadAllocatedBytes();
                long began = System.nanoTime();
                Transfer last = run(plan, mover, (long) (settings.seconds() * 1e9));
                double seconds = (System.nanoTime() - began) / 1e9;
                allocated = threads.getTotalThreadAllocatedBytes() - allocated;
                Histogram measured = histogram.copy();
                int lanes = last.receipt().map(Receipt::lanes).orElse(0);
                return row(plan, measured, lanes, seconds, allocated, verify(plan, mover, memory));
            }
        }
    }

    /** One way to post the transfer of a position. */
    private static final class Mover {
        private final BenchPlan plan;
        private final TransferSession session;
        private final boolean write;
        private final List<SegmentTable> tables;
        private final long[] local;
        private final long[] remote;

        Mover(BenchPlan plan, TransferSession session, boolean write) {
            this.plan = plan;
            this.session = session;
            this.write = write;
            boolean single = plan.batch() == 1;
            tables = single ? List.of() : plan.tables();
            local = single ? plan.localOffsets() : new long[0];
            remote = single ? plan.remoteOffsets() : new long[0];
        }

        Transfer post(int position) {
            TransferOptions options = TransferOptions.DEFAULT;
            if (plan.batch() > 1) {
                SegmentTable table = tables.get(position);
                return write ? session.write(table, options) : session.read(table, options);
            }
            return write
                    ? session.write(local[position], remote[position], plan.size(), options)
                    : session.read(local[position], remote[position], plan.size(), options);
        }
    }

    /** Posts for some time; the last transfer. */
    private Transfer run(BenchPlan plan, Mover mover, long nanos) throws InterruptedException {
        int depth = settings.inFlight();
        Transfer[] flying = new Transfer[depth];
        long[] posted = new long[depth];
        long end = System.nanoTime() + nanos;
        int position = 0;
        int count = 0;
        do {
            int at = count % depth;
            if (count >= depth) {
                finish(flying[at], posted[at]);
            }
            posted[at] = System.nanoTime();
            flying[at] = mover.post(position);
            position = position + 1 == plan.positions() ? 0 : position + 1;
            count++;
        } while (System.nanoTime() - end < 0);
        for (int i = Math.max(0, count - depth); i < count; i++) {
            finish(flying[i % depth], posted[i % depth]);
        }
        return flying[(count - 1) % depth];
    }

    private void finish(Transfer transfer, long posted) throws InterruptedException {
        TransferState state = transfer.state();
        if (settings.waiting() == Wait.ADAPTIVE) {
            state = transfer.await(PATIENCE);
        } else {
            while (!state.isTerminal()) {
                Thread.onSpinWait();
                state = transfer.state();
            }
        }
        histogram.recordValue(Math.min(System.nanoTime() - posted, LONGEST_NANOS));
        if (state != TransferState.SUCCEEDED) {
            throw new WeftException(
                    transfer.code().orElse(ErrorCode.DEADLINE_EXCEEDED),
                    "a transfer of the benchmark ended " + state + ": " + transfer.text());
        }
    }

    /** Moves fresh bytes, outside of what is timed, and compares. */
    private boolean verify(BenchPlan plan, Mover mover, BenchMemory memory) throws IOException, InterruptedException {
        long seed = System.nanoTime();
        if (settings.write()) {
            Pattern.fill(memory.bytes(), seed);
            memory.push();
        } else {
            child.fill(seed);
        }
        long end = System.nanoTime() + VERIFY_NANOS;
        int moved = 0;
        while (moved < plan.positions() && System.nanoTime() - end < 0) {
            finish(mover.post(moved), System.nanoTime());
            moved++;
        }
        if (settings.write()) {
            return child.check(seed, moved);
        }
        try (var arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(plan.regionBytes());
            Pattern.fill(image, seed);
            memory.pull();
            return Pattern.matches(plan, image, memory.bytes(), false, moved);
        }
    }

    private static BenchRow row(
            BenchPlan plan, Histogram measured, int lanes, double seconds, long allocated, boolean verified) {
        long transfers = measured.getTotalCount();
        return new BenchRow(
                plan.size(),
                plan.batch(),
                lanes,
                transfers * plan.bytesPerTransfer() / seconds / 1e9,
                transfers * plan.batch() / seconds,
                measured.getValueAtPercentile(50) / 1e3,
                measured.getValueAtPercentile(99) / 1e3,
                measured.getValueAtPercentile(99.9) / 1e3,
                (double) allocated / transfers,
                transfers,
                verified);
    }

    @Override
    public void close() {
        engine.close(Duration.ofSeconds(5));
        child.close();
    }
}
