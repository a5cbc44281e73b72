package io.weft.bench;

import io.weft.api.ErrorCode;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How soon after a cut of the network a transfer succeeds again, and how those ended that met it: an application that writes one
 * block after the other and goes on when one fails. {@code bench/cut} sets up the network. Arguments: own address, rounds,
 * lengths of the cut in milliseconds, and a command that cuts with {@code =0} and heals with {@code =1} at its end; the target's two
 * lines come on standard input. Or {@code serve} and an address, for the target.
 */
public final class Cuts {
    private static final int BYTES = 1 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TransferEngine engine;
    private final Region source;
    private final MemoryDescriptor target;
    private final List<String> switchCommand;

    private Cuts(TransferEngine engine, MemoryDescriptor target, List<String> switchCommand) {
        this.engine = engine;
        this.source = engine.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        this.target = target;
        this.switchCommand = switchCommand;
    }

    /**
     * Runs the measurement or the target.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (args.length == 2 && args[0].equals("serve")) {
            serve(args[1], lines);
            return;
        }
        try (TransferEngine engine =
                Weft.builder().name("cut-off").listen(args[0], 0).open()) {
            engine.addPeer(Descriptors.unpackEngine(HexFormat.of().parseHex(lines.readLine())));
            MemoryDescriptor target = Descriptors.unpackMemory(HexFormat.of().parseHex(lines.readLine()));
            Cuts cuts = new Cuts(engine, target, Arrays.asList(args[3].split(" ")));
            for (String millis : args[2].split(",")) {
                cuts.measure(Integer.parseInt(args[1]), Long.parseLong(millis));
            }
        }
    }

    private static void serve(String host, BufferedReader until) throws IOException {
        try (TransferEngine engine =
                Weft.builder().name("cut-off-target").listen(host, 0).open()) {
            Region region = engine.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
            until.readLine();
        }
    }

    private void measure(int rounds, long cutMillis) throws Exception {
        List<Double> after = new ArrayList<>();
        Map<String, Integer> ends = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            moveUntil(start + BEFORE_NANOS, ends);
            forward("0");
            moveUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(cutMillis), ends);
            forward("1");
            long healed = System.nanoTime();
            while (!move(ends)) {
                if (System.nanoTime() - healed > PATIENCE_NANOS) {
                    throw new IllegalStateException(
                            "no transfer succeeded in a minute after the cut had healed: " + ends);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            after.add((System.nanoTime() - healed) / 1e6);
        }
        after.sort(null);
        System.out.printf(
                Locale.ROOT,
                "cut of %d ms: first success %.0f ms after it healed (%.0f to %.0f of %d); transfers ended %s%n",
                cutMillis,
                after.get(after.size() / 2),
                after.getFirst(),
                after.getLast(),
                rounds,
                ends);
    }

    /** One that runs at the end is left running: the cut heals under it. */
    private void moveUntil(long end, Map<String, Integer> ends) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            Transfer transfer =
                    engine.write(source, 0, target, 0, BYTES, TransferOptions.DEFAULT.withDeadline(DEADLINE));
            TransferState state = transfer.await(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            if (state.isTerminal()) {
                ends.merge(end(transfer), 1, Integer::sum);
            }
            if (state != TransferState.SUCCEEDED) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private boolean move(Map<String, Integer> ends) throws InterruptedException {
        Transfer transfer = engine.write(source, 0, target, 0, BYTES, TransferOptions.DEFAULT.withDeadline(DEADLINE));
        boolean succeeded = transfer.await(DEADLINE.multipliedBy(10)) == TransferState.SUCCEEDED;
        ends.merge(end(transfer), 1, Integer::sum);
        return succeeded;
    }

    private static String end(Transfer transfer) {
        return transfer.code().map(ErrorCode::name).orElse(transfer.state().name());
    }

    private void forward(String on) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(switchCommand);
        command.set(command.size() - 1, command.getLast() + "=" + on);
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }
}
