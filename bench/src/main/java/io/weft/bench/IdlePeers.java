package io.weft.bench;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.PeerState;
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
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * What peers cost that are connected and do nothing: one engine in this process, its peers in another. Each peer first gets one
 * transfer, so that its control session and its link are up. Arguments: number of peers, seconds to measure, seconds to warm up,
 * which matters since the JVM compiles late what runs seldom.
 */
public final class IdlePeers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BYTES = 4_096;

    private IdlePeers() {}

    /**
     * Runs the measurement, or with the argument {@code serve N} the peers.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("serve")) {
            serve(Integer.parseInt(args[1]));
            return;
        }
        int peers = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        Process others = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdlePeers.class.getName(),
                        "serve",
                        Integer.toString(peers))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (TransferEngine engine = Weft.builder().name("measured").open()) {
            List<String> keys = connect(engine, others, peers);
            pause(args.length > 2 ? Integer.parseInt(args[2]) : 60);
            measure(engine, keys, seconds);
        } finally {
            others.destroyForcibly().waitFor();
        }
    }

    private static List<String> connect(TransferEngine engine, Process others, int peers) throws Exception {
        Region source = engine.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        BufferedReader lines = others.inputReader(StandardCharsets.UTF_8);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            EngineDescriptor peer = Descriptors.unpackEngine(HexFormat.of().parseHex(lines.readLine()));
            MemoryDescriptor target = Descriptors.unpackMemory(HexFormat.of().parseHex(lines.readLine()));
            engine.addPeer(peer);
            Transfer transfer = engine.write(source, 0, target, 0, BYTES, TransferOptions.DEFAULT);
            if (transfer.await(PATIENCE) != TransferState.SUCCEEDED) {
                throw new IllegalStateException("connecting peer " + i + ": " + transfer.text());
            }
            keys.add(peer.key());
        }
        return keys;
    }

    private static void measure(TransferEngine engine, List<String> keys, int seconds) {
        long cpu = cpuNanos();
        Map<String, Long> before = threadNanos();
        long started = System.nanoTime();
        pause(seconds);
        double core = 100.0 * (cpuNanos() - cpu) / (System.nanoTime() - started);
        long up = keys.stream()
                .filter(key -> engine.peerState(key).orElseThrow() == PeerState.UP)
                .count();
        System.out.printf(
                Locale.ROOT,
                "%d idle peers (%d up): %.3f %% of a core over %d s, JDK %s%n",
                keys.size(),
                up,
                core,
                seconds,
                Runtime.version());
        threadNanos().forEach((name, nanos) -> {
            double share = (nanos - before.getOrDefault(name, 0L)) / (seconds * 1e7);
            if (share >= 0.01) {
                System.out.printf(Locale.ROOT, "  %-32s %.3f %%%n", name, share);
            }
        });
    }

    /** CPU time by thread name, threads of one name together; the JVM's own threads are not among them. */
    private static Map<String, Long> threadNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> nanos = new TreeMap<>();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null) {
                nanos.merge(thread.getThreadName(), threads.getThreadCpuTime(thread.getThreadId()), Long::sum);
            }
        }
        return nanos;
    }

    private static void serve(int peers) throws IOException {
        List<TransferEngine> engines = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            TransferEngine engine = Weft.builder().name("idle-" + i).open();
            engines.add(engine);
            Region region = engine.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
        }
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        engines.forEach(TransferEngine::close);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void pause(int seconds) {
        long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
