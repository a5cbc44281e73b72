package io.weft.bench.engine;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
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
import io.weft.engine.EngineTelemetry;
import io.weft.engine.Weft;
import io.weft.ops.WeftMeters;
import io.weft.spi.BackendProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
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
 * What it costs to be looked at: the rate of writes of 4 KiB, 64 at a time, between two engines of one process, with nobody looking, with metrics
 * read four times a second as Prometheus would, with every Weft event recorded, and with both. Goal: on costs under 2 % over tcp.
 * {@code bench/telemetry-cost} runs it and compares.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TelemetryBenchmark {
    private static final int BATCH = 64;
    private static final int BYTES = 4_096;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long SCRAPE_MILLIS = 250;
    private static final List<String> TURNS = List.of("off", "metrics", "jfr", "both");

    /** {@code tcp}, or {@code mem}, which copies inside post and so shows the cost of everything else. */
    @Param({"tcp", "mem"})
    public String backend = "tcp";

    /**
     * Who looks. With {@code turns} an iteration each for off, metrics, jfr and both, round and round in one process: where processes
     * differ by more than the cost, only neighbouring iterations tell.
     */
    @Param({"off", "metrics", "jfr", "both"})
    public String look = "off";

    private int iteration;

    private @Nullable TransferEngine initiator;
    private @Nullable TransferEngine target;
    private @Nullable TransferSession session;
    private @Nullable Recording recording;
    private @Nullable ScheduledExecutorService scraper;
    private final Transfer[] batch = new Transfer[BATCH];
    private final SegmentTable table = SegmentTable.single(0, 0, BYTES);

    /** Opens the engines. */
    @Setup
    public void open() {
        TransferEngine from = open("initiator");
        TransferEngine to = open("target");
        Region source = from.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        Region destination = to.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        from.addPeer(to.descriptor());
        session = from.session(source, destination.descriptor());
        initiator = from;
        target = to;
    }

    /** Starts to look. */
    @Setup(Level.Iteration)
    public void look() {
        String now = look.equals("turns") ? TURNS.get(iteration++ % TURNS.size()) : look;
        if (initiator != null && (now.equals("metrics") || now.equals("both"))) {
            scrape(initiator);
        }
        if (now.equals("jfr") || now.equals("both")) {
            record();
        }
    }

    private TransferEngine open(String name) {
        BackendProvider provider = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(backend))
                .findFirst()
                .orElseThrow();
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of(".")))
                .name(name)
                .provider(provider)
                .open();
    }

    private void scrape(TransferEngine engine) {
        EngineTelemetry telemetry = EngineTelemetry.of(engine).orElseThrow();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        WeftMeters meters = new WeftMeters(telemetry.metrics());
        meters.bindTo(registry);
        scraper = Executors.newSingleThreadScheduledExecutor();
        scraper.scheduleAtFixedRate(
                () -> {
                    meters.refresh();
                    registry.scrape();
                },
                0,
                SCRAPE_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void record() {
        Recording all = new Recording();
        List.of("Transfer", "TransferFailed", "Link", "Room", "Stall", "Registration", "Fence")
                .forEach(event -> all.enable("io.weft." + event));
        all.setToDisk(false);
        all.start();
        recording = all;
    }

    /** Looks away. */
    @TearDown(Level.Iteration)
    public void lookAway() {
        if (recording != null) {
            recording.close();
            recording = null;
        }
        if (scraper != null) {
            scraper.shutdownNow();
            scraper = null;
        }
    }

    /** Closes the engines. */
    @TearDown
    public void close() {
        if (session != null && initiator != null && target != null) {
            session.close();
            initiator.close();
            target.close();
        }
    }

    /**
     * Writes 64 times and waits for all.
     *
     * @return the last transfer
     * @throws InterruptedException if interrupted
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Transfer write() throws InterruptedException {
        TransferSession open = session;
        if (open == null) {
            throw new IllegalStateException("not set up");
        }
        for (int i = 0; i < BATCH; i++) {
            batch[i] = open.write(table, TransferOptions.DEFAULT);
        }
        for (Transfer transfer : batch) {
            if (transfer.await(PATIENCE) != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer.toString());
            }
        }
        return batch[BATCH - 1];
    }
}
