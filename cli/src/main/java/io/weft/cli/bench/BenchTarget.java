package io.weft.cli.bench;

import io.weft.api.TransferEngine;
import io.weft.engine.Descriptors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The other process of a benchmark: owns the remote region, and is told line by line what to do. Confined to one thread.
 *
 * <p>{@code plan WRITE SIZE BATCH LAYOUT SLOTS} is answered by the region's descriptor in hex, {@code fill SEED} and
 * {@code check SEED POSITIONS} by {@code ok} or {@code wrong}. The end of the input ends it.
 */
public final class BenchTarget {
    private final BenchEngine open;
    private final TransferEngine engine;
    private final PrintWriter out;
    private @Nullable BenchPlan plan;
    private boolean write;
    private @Nullable BenchMemory memory;

    private BenchTarget(BenchEngine open, TransferEngine engine, PrintWriter out) {
        this.open = open;
        this.engine = engine;
        this.out = out;
    }

    /**
     * Serves until the input ends.
     *
     * @param open how to open the engine
     * @param options its options
     * @param in orders
     * @param out answers; first the engine's descriptor in hex
     * @throws IOException if the input breaks
     */
    public static void serve(BenchEngine open, Map<String, String> options, BufferedReader in, PrintWriter out)
            throws IOException {
        try (TransferEngine engine = open.open("bench-target", options)) {
            out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
            out.flush();
            BenchTarget target = new BenchTarget(open, engine, out);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                target.obey(line.split(" "));
                out.flush();
            }
        }
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "plan" -> plan(words);
            case "fill" -> {
                Pattern.fill(memory().bytes(), Long.parseLong(words[1]));
                memory().push();
                out.println("ok");
            }
            case "check" -> out.println(check(Long.parseLong(words[1]), Integer.parseInt(words[2])) ? "ok" : "wrong");
            default -> throw new IllegalArgumentException("no such order: " + words[0]);
        }
    }

    private void plan(String[] words) {
        if (memory != null) {
            memory.close();
        }
        write = Boolean.parseBoolean(words[1]);
        plan = new BenchPlan(
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                BenchPlan.Layout.valueOf(words[4]),
                Integer.parseInt(words[5]));
        memory = new BenchMemory(open, engine, plan.regionBytes());
        // Touched, so that no page fault is timed.
        memory().bytes().fill((byte) 0);
        memory().push();
        out.println(HexFormat.of().formatHex(Descriptors.pack(memory().region().descriptor())));
    }

    private boolean check(long seed, int positions) {
        BenchPlan of = plan;
        if (of == null) {
            throw new IllegalStateException("check before plan");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(of.regionBytes());
            Pattern.fill(image, seed);
            memory().pull();
            return Pattern.matches(of, image, memory().bytes(), write, positions);
        }
    }

    private BenchMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("no plan yet");
        }
        return memory;
    }
}
