package io.weft.tck.trial;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A target engine in a process of its own, told what to do line by line, and the parent's end of it. Its backend is the one that
 * the options choose among those on the class path.
 */
final class EngineChild implements AutoCloseable {
    static final int REGION = 32 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WATCH = Duration.ofSeconds(1);

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    final EngineDescriptor engine;
    final MemoryDescriptor memory;

    EngineChild(Map<String, String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                EngineChild.class.getName()));
        options.forEach((key, value) -> command.add(key + "=" + value));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        in = process.outputWriter(StandardCharsets.UTF_8);
        engine = Descriptors.unpackEngine(HexFormat.of().parseHex(read()));
        memory = Descriptors.unpackMemory(HexFormat.of().parseHex(read()));
    }

    private String read() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the child ended: " + process);
        }
        return line;
    }

    String ask(String command) throws IOException {
        in.write(command);
        in.newLine();
        in.flush();
        return read();
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        if (!kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    void killAndWait() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE)) {
            throw new IllegalStateException("the child outlives SIGKILL: " + process);
        }
    }

    int endBySigterm() throws IOException, InterruptedException {
        signal("TERM");
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("the child ignores SIGTERM");
        }
        return process.exitValue();
    }

    List<String> remainingOutput() throws IOException {
        return out.lines().toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    static TransferEngine open(String name, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")).withApi(all))
                .name(name)
                .listen("127.0.0.1", 0)
                .open();
    }

    /** Arguments are options, {@code KEY=VALUE}. */
    public static void main(String[] args) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String arg : args) {
            options.put(arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
        TransferEngine engine = open("child", options);
        Region region = engine.allocate(MemoryLocation.HOST, REGION, RegisterOptions.DEFAULT);
        MemorySegment bytes = region.segment().orElseThrow();
        System.out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
        System.out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "fill" -> {
                    bytes.fill((byte) Integer.parseInt(words[1]));
                    System.out.println("filled");
                }
                case "only" -> System.out.println(only(bytes, Integer.parseInt(words[1])));
                case "watch" -> System.out.println(watch(bytes, Integer.parseInt(words[1])));
                case "fence" -> System.out.println(engine.fence(words[1], PATIENCE) ? "fenced" : "not fenced");
                case "gc" -> {
                    for (int i = 0; i < 20; i++) {
                        System.gc();
                    }
                    System.out.println("collected");
                }
                default -> System.out.println("unknown " + line);
            }
        }
    }

    /** Looks on for as long as a late byte may take, through collections, which need every thread to stop once. */
    private static String watch(MemorySegment bytes, int value) {
        long end = System.nanoTime() + WATCH.toNanos();
        String seen;
        do {
            System.gc();
            seen = only(bytes, value);
        } while (seen.equals("yes") && System.nanoTime() - end < 0);
        return seen;
    }

    static String only(MemorySegment bytes, int value) {
        for (long i = 0; i < bytes.byteSize(); i++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, i) != (byte) value) {
                return "byte " + i + " is " + bytes.get(ValueLayout.JAVA_BYTE, i);
            }
        }
        return "yes";
    }
}
