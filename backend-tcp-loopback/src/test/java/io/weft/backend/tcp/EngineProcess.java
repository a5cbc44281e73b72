package io.weft.backend.tcp;

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
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** An engine with one region in a process of its own, and this process's handle on it. Ends with its parent. */
final class EngineProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    final EngineDescriptor engine;
    final MemoryDescriptor region;

    EngineProcess(String name, long bytes, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EngineProcess.class.getName(),
                name,
                Long.toString(bytes)));
        command.addAll(Arrays.asList(options));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        engine = Descriptors.unpackEngine(HexFormat.of().parseHex(answer()));
        region = Descriptors.unpackMemory(HexFormat.of().parseHex(answer()));
    }

    /** CRC of what its region holds now. */
    long checksum() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append("checksum\n").flush();
        return Long.parseLong(answer());
    }

    /** Whether any byte of its region has this value now, as the process itself sees it. */
    boolean holds(int value) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8)
                .append("holds " + value + "\n")
                .flush();
        return Boolean.parseBoolean(answer());
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the engine's process ended");
        }
        return line;
    }

    @Override
    public void close() {
        kill();
    }

    static TransferEngine open(String name, Map<String, String> options) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")).withApi(options))
                .name(name)
                .provider(new TcpProvider())
                .open();
    }

    static long crc(Region region) {
        CRC32C crc = new CRC32C();
        crc.update(region.segment().orElseThrow().toArray(ValueLayout.JAVA_BYTE));
        return crc.getValue();
    }

    private static boolean holds(Region region, byte sought) {
        for (byte found : region.segment().orElseThrow().toArray(ValueLayout.JAVA_BYTE)) {
            if (found == sought) {
                return true;
            }
        }
        return false;
    }

    /** Arguments: name, bytes of the region, options as key=value. */
    public static void main(String[] args) throws IOException {
        Map<String, String> options = new java.util.HashMap<>();
        for (String option : Arrays.asList(args).subList(2, args.length)) {
            int equals = option.indexOf('=');
            options.put(option.substring(0, equals), option.substring(equals + 1));
        }
        try (TransferEngine engine = open(args[0], options)) {
            Region region = engine.allocate(MemoryLocation.HOST, Long.parseLong(args[1]), RegisterOptions.DEFAULT);
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
            System.out.println(HexFormat.of().formatHex(Descriptors.pack(region.descriptor())));
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                System.out.println(
                        words[0].equals("holds") ? holds(region, Byte.parseByte(words[1])) : (Object) crc(region));
            }
        }
    }
}
