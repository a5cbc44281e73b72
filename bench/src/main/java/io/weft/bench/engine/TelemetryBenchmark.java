package io.weft.bench.engine;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to be looked at, and to be such that one could be looked at: the rate of writes of 4 KiB, 64 at a time, between two engines of one
 * process, and the process's processor time for each. Iterations are short and take turns, so that each has its neighbours to be compared with.
 * {@code bench/telemetry-cost} runs it and compares. Goals: looked at under 2 % over tcp, not looked at nothing that can be measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 180, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 240, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class TelemetryBenchmark {
    /** Each way to look before and after nobody looks: what drifts evenly is the same for both. */
    private static final List<String> LOOKS =
            List.of("off", "metrics", "metrics", "off", "off", "jfr", "jfr", "off", "off", "both", "both", "off");

    /** Of two pairs of engines, by the same reason. */
    private static final List<Integer> PAIRS = List.of(0, 1, 1, 0);

    /** {@code tcp}, or {@code mem}, which copies inside post and so shows the cost of everything else. */
    @Param({"tcp", "mem"})
    public String backend = "tcp";

    /**
     * {@code looks}: nobody, who reads metrics, who records events, both. {@code pair}: nobody, at two pairs of engines, each with classes of its own.
     */
    @Param({"looks", "pair"})
    public String turns = "looks";

    /** With {@code pair}: a directory of classes that the second pair has instead of the usual ones; empty: both have the same. */
    @Param("")
    public String instead = "";

    private int iteration;
    private List<AutoCloseable> open = List.of();
    private List<Callable<Integer>> writes = List.of();
    private @Nullable Callable<Integer> now;
    private @Nullable Looks looks;

    /** What an iteration used. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Used {
        /** Of the whole process, in ns. */
        public long processorTime;

        /** In that time, which is a little more than what is measured. */
        public long transfers;

        private long since;
        private long soFar;

        /** Counts from zero. */
        @Setup(Level.Iteration)
        public void begin() {
            soFar = 0;
        }

        /** Starts the clock of the iteration at the first call, when all is set up. */
        void before() {
            if (soFar == 0) {
                since = ProcessorTime.nanos();
            }
        }

        /** Tells what was used. */
        @TearDown(Level.Iteration)
        public void end() {
            processorTime = ProcessorTime.nanos() - since;
            transfers = soFar;
        }
    }

    /**
     * Opens the engines.
     *
     * @throws ReflectiveOperationException if the classes are not there twice
     */
    @Setup
    @SuppressWarnings("unchecked") // Loaded by another loader, so only the JDK's own interfaces are known here.
    public void open() throws ReflectiveOperationException {
        if (turns.equals("looks")) {
            Writes mine = new Writes(backend);
            looks = new Looks(mine.metrics());
            open = List.of(looks, mine);
            writes = List.of(mine);
            return;
        }
        List<AutoCloseable> opened = new ArrayList<>();
        List<Callable<Integer>> called = new ArrayList<>();
        for (String first : List.of("", instead)) {
            Object one = apart(first)
                    .loadClass(Writes.class.getName())
                    .getConstructor(String.class)
                    .newInstance(backend);
            opened.add((AutoCloseable) one);
            called.add((Callable<Integer>) one);
        }
        open = opened;
        writes = called;
    }

    /** All classes but the JDK's once more; those in {@code first}, if it is not empty, before the others. */
    private static ClassLoader apart(String first) {
        List<URL> places = new ArrayList<>();
        for (String place :
                (first + File.pathSeparator + System.getProperty("java.class.path")).split(File.pathSeparator)) {
            if (!place.isEmpty()) {
                try {
                    places.add(Path.of(place).toUri().toURL());
                } catch (MalformedURLException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        }
        return new URLClassLoader(places.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /** Begins a turn. */
    @Setup(Level.Iteration)
    public void begin() {
        int turn = iteration++;
        now = writes.get(looks == null ? PAIRS.get(turn % PAIRS.size()) : 0);
        if (looks != null) {
            looks.look(LOOKS.get(turn % LOOKS.size()));
        }
    }

    /**
     * Closes the engines.
     *
     * @throws Exception if that fails
     */
    @TearDown
    public void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    /**
     * Writes 64 times and waits for all.
     *
     * @param used to count them
     * @return how many
     * @throws Exception if one failed
     */
    @Benchmark
    @OperationsPerInvocation(Writes.BATCH)
    public int write(Used used) throws Exception {
        Callable<Integer> turn = now;
        if (turn == null) {
            throw new IllegalStateException("not set up");
        }
        used.before();
        int written = turn.call();
        used.soFar += written;
        return written;
    }
}
