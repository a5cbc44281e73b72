package io.weft.bench.engine;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.testkit.mem.MemProvider;
import java.nio.file.Path;
import java.time.Duration;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A write from call to terminal state through a prepared session over the reference backend, which copies inside post. With
 * {@code -prof gc} also what a transfer allocates. Goals: one segment under 2 us; allocation constant in segments.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class TransferBenchmark {
    private static final long BYTES = 64;
    private static final long STRIDE = 2 * BYTES;
    private static final int MOST_SEGMENTS = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Segments that do not touch, sorted. */
    @Param({"1", "16", "256"})
    public int segments;

    private final TransferEngine initiator = open("initiator");
    private final TransferEngine target = open("target");
    private final Region source = allocate(initiator);
    private final Region destination = allocate(target);
    private final TransferSession session = prepare();
    private SegmentTable table = SegmentTable.single(0, 0, 0);

    private static TransferEngine open(String name) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of(".")))
                .name(name)
                .provider(new MemProvider())
                .open();
    }

    private static Region allocate(TransferEngine engine) {
        return engine.allocate(MemoryLocation.HOST, MOST_SEGMENTS * STRIDE, RegisterOptions.DEFAULT);
    }

    private TransferSession prepare() {
        initiator.addPeer(target.descriptor());
        return initiator.session(source, destination.descriptor());
    }

    /** Makes the segments. */
    @Setup
    public void makeSegments() {
        long[] offsets = new long[segments];
        long[] lengths = new long[segments];
        for (int i = 0; i < segments; i++) {
            offsets[i] = i * STRIDE;
            lengths[i] = BYTES;
        }
        table = SegmentTable.of(offsets, offsets, lengths);
    }

    /** Closes the engines. */
    @TearDown
    public void close() {
        session.close();
        initiator.close();
        target.close();
    }

    /**
     * Writes and waits.
     *
     * @return the transfer
     * @throws InterruptedException if interrupted
     */
    @Benchmark
    public Transfer write() throws InterruptedException {
        Transfer transfer = session.write(table, TransferOptions.DEFAULT);
        if (transfer.await(PATIENCE) != TransferState.SUCCEEDED) {
            throw new IllegalStateException(transfer.toString());
        }
        return transfer;
    }
}
