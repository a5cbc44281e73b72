package io.weft.cli.bench;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.engine.Descriptors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The benchmark's handle of the other process. Confined to one thread; closing ends the process. */
final class BenchChild implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final Process process;
    private final PrintWriter orders;
    private final BufferedReader answers;
    private final EngineDescriptor engine;

    BenchChild(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        orders = new PrintWriter(process.outputWriter(), true);
        answers = process.inputReader();
        engine = Descriptors.unpackEngine(HexFormat.of().parseHex(answer()));
    }

    EngineDescriptor engine() {
        return engine;
    }

    MemoryDescriptor plan(BenchPlan plan, boolean write) throws IOException {
        orders.println(
                "plan " + write + " " + plan.size() + " " + plan.batch() + " " + plan.layout() + " " + plan.slots());
        return Descriptors.unpackMemory(HexFormat.of().parseHex(answer()));
    }

    void fill(long seed) throws IOException {
        orders.println("fill " + seed);
        answer();
    }

    boolean check(long seed, int positions) throws IOException {
        orders.println("check " + seed + " " + positions);
        return answer().equals("ok");
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the benchmark's target process ended early; its errors are above");
        }
        return line;
    }

    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
