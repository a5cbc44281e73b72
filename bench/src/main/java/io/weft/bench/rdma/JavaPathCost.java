package io.weft.bench.rdma;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.ProgressSource;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.ContextWithSink;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The Java path of backend rdma over a libibverbs whose posting and polling do next to nothing ({@code bench/rdma-path} builds it). Goals:
 * under 150 ns per work request in chains of 32, under 100 ns per completion, nothing allocated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class JavaPathCost {
    private static final int CHAIN = 32;
    private static final int LENGTH = 4_096;

    private final Arena arena = Arena.ofShared();
    private final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    private Backend backend;
    private Backend target;
    private Link link;
    private ProgressSource source;
    private Operation chain;
    private Operation single;
    private long completed;

    /** Counts beside the time of an invocation: nanoseconds inside progress, and completions taken there. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Progress {
        /** Nanoseconds. */
        public long nanos;
        /** Completions. */
        public long completions;
    }

    private final class Sink implements CompletionSink {
        @Override
        public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
            completed += count;
        }

        @Override
        public void complete(long token, int code, long nativeCode) {
            completed++;
        }
    }

    /** Opens a backend on either side and connects them. */
    @Setup
    public void open() {
        BackendProvider rdma = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("rdma"))
                .findFirst()
                .orElseThrow();
        BackendProvider counting = new ForwardingProvider(rdma) {
            @Override
            public Backend open(BackendContext context) {
                return super.open(new ContextWithSink(context, new Sink()));
            }
        };
        Map<String, String> options = Map.of("library", System.getProperty("weft.bench.libibverbs", ""));
        LoneContext left = LoneContext.open(neighbourhood, "left", counting, options);
        LoneContext right = LoneContext.open(neighbourhood, "right", rdma, options);
        backend = left.backend();
        target = right.backend();
        source = backend.progressSources().getFirst();
        link = backend.connect(left.peer(right), new RecordedLink(), System.nanoTime() + 5_000_000_000L);
        LoneMemory here = new LoneMemory(1, arena.allocate(2L * CHAIN * LENGTH));
        LoneMemory there = new LoneMemory(2, arena.allocate(2L * CHAIN * LENGTH));
        RemoteMemory remote = backend.importKey(
                left.peer(right),
                there.descriptor("right"),
                target.exportKey(right.peer(left), target.register(there)));
        // With the read that flushes them 31 writes make a chain of 32.
        long[][] scattered = new long[CHAIN - 1][];
        for (int i = 0; i < scattered.length; i++) {
            scattered[i] = new long[] {(long) i * LENGTH, 2L * i * LENGTH, LENGTH};
        }
        var local = backend.register(here);
        chain = new CopiedOperation(1, OperationKind.WRITE, local, remote, scattered);
        single = new CopiedOperation(2, OperationKind.READ, local, remote, scattered[0]);
    }

    /**
     * Posts a chain of 32 requests and takes its completion.
     *
     * @return completions so far
     */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long requestInAChain() {
        post(chain);
        source.progress(CHAIN);
        return completed;
    }

    /**
     * Posts 32 chains of one request, then takes their completions, which are timed apart.
     *
     * @param progress where the completions' time goes
     * @return completions so far
     */
    @Benchmark
    @OperationsPerInvocation(CHAIN)
    public long lonelyRequest(Progress progress) {
        for (int i = 0; i < CHAIN; i++) {
            post(single);
        }
        long before = completed;
        long start = System.nanoTime();
        source.progress(CHAIN);
        progress.nanos += System.nanoTime() - start;
        progress.completions += completed - before;
        return completed;
    }

    private void post(Operation operation) {
        int answer = link.post(operation);
        if (answer != Link.ACCEPTED) {
            throw new IllegalStateException("post answered " + answer);
        }
    }

    /** Closes both. */
    @TearDown(Level.Trial)
    public void close() {
        link.close();
        backend.close();
        target.close();
        arena.close();
    }
}
