package io.weft.cli.bench;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
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
    private final TransferEngine engine;
    private final PrintWriter out;
    private @Nullable BenchPlan plan;
    private boolean write;
    private @Nullable Region region;

    private BenchTarget(TransferEngine engine, PrintWriter out) {
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
            BenchTarget target = new BenchTarget(engine, out);
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
                Pattern.fill(memory(), Long.parseLong(words[1]));
                out.println("ok");
            }
            case "check" -> out.println(check(Long.parseLong(words[1]), Integer.parseInt(words[2])) ? "ok" : "wrong");
            default -> throw new IllegalArgumentException("no such order: " + words[0]);
        }
    }

    private void plan(String[] words) {
        if (region != null) {
            region.close();
        }
        write = Boolean.parseBoolean(words[1]);
        plan = new BenchPlan(
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                BenchPlan.Layout.valueOf(words[4]),
                Integer.parseInt(words[5]));
        region = engine.allocate(MemoryLocation.HOST, plan.regionBytes(), RegisterOptions.DEFAULT);
        // Touched, so that no page fault is timed.
        memory().fill((byte) 0);
        out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
    }

    private boolean check(long seed, int positions) {
        BenchPlan of = plan;
        if (of == null) {
            throw new IllegalStateException("check before plan");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(of.regionBytes());
            Pattern.fill(image, seed);
            return Pattern.matches(of, image, memory(), write, positions);
        }
    }

    private MemorySegment memory() {
        if (region == null) {
            throw new IllegalStateException("no plan yet");
        }
        return region.segment().orElseThrow();
    }
}
