package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ops.InspectText;
import io.weft.ops.OpsClient;
import io.weft.ops.OpsToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** What an operator has: inspect, health, logs, and signals to send. */
final class RankTools {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String SECRET = "s3cret";
    static final Map<String, String> ENVIRONMENT = Map.of(
            "WEFT_OPS_PORT", "0",
            "WEFT_SECRET", SECRET,
            "WEFT_HEARTBEAT_INTERVAL", "200ms",
            "WEFT_HEARTBEAT_SUSPECT", "1s",
            "WEFT_HEARTBEAT_LOST", "60s");

    private static final AtomicInteger KEPT = new AtomicInteger();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private RankTools() {}

    static int port(JsonProcess process) {
        return process.await("ready").get("opsPort").intValue();
    }

    static String inspect(JsonProcess rank) {
        try (OpsClient client = new OpsClient(SECRET)) {
            return InspectText.of(client.inspect("127.0.0.1:" + port(rank)));
        }
    }

    static HttpResponse<String> get(JsonProcess process, String path) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(process) + path))
                        .header("Authorization", "Bearer " + OpsToken.of(SECRET))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofString());
    }

    static void awaitInspect(JsonProcess rank, String... parts) {
        awaitText("weft inspect", () -> inspect(rank), parts);
    }

    static void awaitLog(JsonProcess rank, String... parts) {
        awaitText("log", rank::log, parts);
    }

    private static void awaitText(String tool, Supplier<String> text, String... parts) {
        AtomicReference<String> seen = new AtomicReference<>("");
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
            seen.set(text.get());
            assertThat(seen.get()).contains(parts);
        });
        keep(tool, seen.get());
    }

    /**
     * Keeps what a tool said, to be read by a person: {@code -Dweft.transcripts=DIR} names a file for each, in the order in which
     * they were seen. Nothing without it.
     */
    static void keep(String tool, String text) {
        String directory = System.getProperty("weft.transcripts", "");
        if (directory.isEmpty()) {
            return;
        }
        try {
            Path into = Files.createDirectories(Path.of(directory));
            Files.writeString(
                    into.resolve(String.format("%02d.txt", KEPT.incrementAndGet())), "$ " + tool + "\n" + text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops a process and waits until all of it stands still. */
    static void stop(JsonProcess process) throws Exception {
        signal(process, "STOP");
        Awaitility.await().atMost(PATIENCE).until(() -> state(process).equals("T"));
    }

    static void resume(JsonProcess process) throws Exception {
        signal(process, "CONT");
    }

    private static void signal(JsonProcess process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static String state(JsonProcess process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }
}
