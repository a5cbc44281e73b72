package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process that is driven by JSON lines. Every event is kept, so that nothing that happened early is missed. */
final class JsonProcess implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter in;
    private final List<JsonNode> events = new ArrayList<>();
    private boolean ended;

    JsonProcess(String name, Path log, Map<String, String> environment, List<String> command) throws IOException {
        this.name = name;
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread.ofPlatform().daemon().name(name + "-events").start(this::read);
    }

    /** Runs the weft command of this class path. */
    static List<String> weft(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weft.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    void send(Map<String, ?> line) {
        try {
            in.write(JsonMapper.shared().writeValueAsString(line));
            in.newLine();
            in.flush();
        } catch (IOException gone) {
            throw new AssertionError(name + " does not listen any more", gone);
        }
    }

    JsonNode await(String event, Predicate<JsonNode> which) {
        return awaitAny(seen -> seen.path("event").asString("").equals(event) && which.test(seen));
    }

    JsonNode awaitAny(Predicate<JsonNode> which) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (events) {
            while (true) {
                for (JsonNode seen : events) {
                    if (which.test(seen)) {
                        return seen;
                    }
                }
                long left = deadline - System.nanoTime();
                assertThat(left > 0 && !ended)
                        .as("%s: no such event, ended %s, heard %s", name, ended, events)
                        .isTrue();
                waitFor(left);
            }
        }
    }

    JsonNode await(String event) {
        return await(event, any -> true);
    }

    /** What it logged so far. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    long pid() {
        return process.pid();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            in.close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            process.destroyForcibly();
        } catch (InterruptedException stop) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void waitFor(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(events, nanos);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", stop);
        }
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (@Nullable String line = out.readLine(); line != null; line = out.readLine()) {
                JsonNode event = JsonMapper.shared().readTree(line);
                synchronized (events) {
                    events.add(event);
                    events.notifyAll();
                }
            }
        } catch (IOException gone) {
            // The process was killed; what it said before counts.
        } finally {
            synchronized (events) {
                ended = true;
                events.notifyAll();
            }
        }
    }
}
