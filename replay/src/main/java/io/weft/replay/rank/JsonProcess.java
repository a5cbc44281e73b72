package io.weft.replay.rank;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * A child process that takes JSON lines on standard input and gives JSON lines on standard output; its standard error goes
 * to a file. It ends with its parent, whose death closes its input.
 *
 * <p>Safe from any thread. {@code onEvent} and {@code onExit} run on one virtual thread, in order, exit last.
 */
final class JsonProcess implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMapper.shared();
    private static final long QUIT_SECONDS = 5;

    private final Process process;
    private final BufferedWriter in;
    private final Path log;
    private volatile boolean killed;

    JsonProcess(String name, List<String> command, Path log, Consumer<JsonNode> onEvent, Consumer<String> onExit) {
        this.log = log;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name + ": " + String.join(" ", command), e);
        }
        in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread.ofVirtual().name(name + "-events").start(() -> read(name, onEvent, onExit));
    }

    private void read(String name, Consumer<JsonNode> onEvent, Consumer<String> onExit) {
        String end = "";
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                onEvent.accept(JSON.readTree(line));
            }
        } catch (IOException e) {
            // The JDK closes the stream of a process that it kills.
            end = killed ? "" : "; reading from it failed: " + e.getMessage();
        } catch (JacksonException e) {
            end = "; it wrote something that is not JSON: " + e.getOriginalMessage();
            process.destroyForcibly();
        }
        onExit.accept(name + " ended (" + exitText() + ")" + end);
    }

    private String exitText() {
        try {
            if (!process.waitFor(QUIT_SECONDS, TimeUnit.SECONDS)) {
                return "output closed, still running";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "exit code unknown";
        }
        int code = process.exitValue();
        return code > 128 ? "signal " + (code - 128) : "exit code " + code;
    }

    /** Sends one line; false when the process does not read any more. */
    boolean send(JsonNode line) {
        synchronized (in) {
            try {
                in.write(JSON.writeValueAsString(line));
                in.write('\n');
                in.flush();
                return true;
            } catch (IOException _) {
                // The exit callback tells why.
                return false;
            }
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** The last lines of its log, for error texts. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size()));
        } catch (IOException e) {
            return "log " + log + " cannot be read: " + e.getMessage();
        }
    }

    /** Kills it as {@code kill -9} does and waits until it is gone. */
    void kill() {
        killed = true;
        process.destroyForcibly();
        awaitExit();
    }

    private boolean awaitExit() {
        try {
            return process.waitFor(QUIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Asks it to end, then makes it. Bounded. */
    @Override
    public void close() {
        send(JSON.createObjectNode().put("op", "quit"));
        if (!awaitExit()) {
            kill();
        }
    }
}
