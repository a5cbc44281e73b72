package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weft.ops.InspectText;
import io.weft.ops.OpsClient;
import io.weft.ops.OpsToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults as an operator meets them: what the tools say names the cause, in the words that docs/operations.md explains. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OperationsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "s3cret";
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "WEFT_OPS_PORT", "0",
            "WEFT_SECRET", SECRET,
            "WEFT_HEARTBEAT_INTERVAL", "200ms",
            "WEFT_HEARTBEAT_SUSPECT", "1s",
            "WEFT_HEARTBEAT_LOST", "60s");

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    private static int port(JsonProcess process) {
        return process.await("ready").get("opsPort").intValue();
    }

    private static String inspect(JsonProcess rank) {
        try (OpsClient client = new OpsClient(SECRET)) {
            return InspectText.of(client.inspect("127.0.0.1:" + port(rank)));
        }
    }

    private HttpResponse<String> get(JsonProcess process, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port(process) + path))
                        .header("Authorization", "Bearer " + OpsToken.of(SECRET))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofString());
    }

    private static void awaitText(JsonProcess rank, String... parts) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(inspect(rank)).contains(parts));
    }

    private static void connect(JsonProcess prefill, JsonProcess decode) {
        prefill.send(Map.of("op", "fill", "seed", Ranks.SEED, "pages", Ranks.SOURCE, "auxIndex", 1));
        decode.send(Map.of("op", "recv", "room", 101, "pages", Ranks.DESTINATION, "auxIndex", 2));
        prefill.send(Map.of(
                "op", "send", "room", 101, "pages", Ranks.SOURCE, "totalPages", Ranks.SOURCE.size(), "auxIndex", 1));
        for (JsonProcess rank : List.of(prefill, decode)) {
            rank.await(
                    "room",
                    event -> event.path("room").asInt(-1) == 101
                            && event.path("status").asString("").equals("Success"));
        }
    }

    private static void signal(JsonProcess process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aStoppedPeerIsSuspectAndAKilledOneLost() throws Exception {
        try (Ranks ranks = new Ranks(directory, ENVIRONMENT)) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            connect(prefill, decode);
            String peer = "peer " + decode.await("ready").get("engineKey").asString();
            assertThat(inspect(prefill)).contains(peer, ": UP, 0 transfers", "link over tcp: UP");
            assertThat(get(prefill, "/metrics").body())
                    .contains("weft_kv_rooms_ended_total{role=\"prefill\",state=\"succeeded\"} 1.0");

            signal(decode, "STOP");
            try {
                awaitText(prefill, peer, ": SUSPECT, 0 transfers");
                assertThat(get(prefill, "/health/live").statusCode()).isEqualTo(200);
            } finally {
                signal(decode, "CONT");
            }
            awaitText(prefill, peer, ": UP, 0 transfers");

            decode.kill();
            awaitText(prefill, peer, ": LOST, 0 transfers");
        }
    }

    @Test
    void aRegistryThatIsDownIsNamedByReadinessAndByTheRoomThatWaitsForIt() throws Exception {
        try (Ranks ranks = new Ranks(directory, ENVIRONMENT)) {
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            assertThat(get(decode, "/health/ready").statusCode()).isEqualTo(200);

            ranks.killRegistry();
            HttpResponse<String> unready = get(decode, "/health/ready");
            assertThat(unready.statusCode()).isEqualTo(503);
            assertThat(unready.body())
                    .contains("registry " + ranks.registry() + " does not accept a connection", "start it again");
            assertThat(get(decode, "/health/live").statusCode()).isEqualTo(200);

            decode.send(Map.of("op", "recv", "room", 7, "pages", Ranks.DESTINATION, "auxIndex", 2));
            awaitText(
                    decode,
                    "decode room 7: Bootstrapping",
                    "waits for prefill ranks to be found at registry " + ranks.registry());
        }
    }

    @Test
    void theRegistrysPageShowsItsRanksInABrowser() throws Exception {
        try (Ranks ranks = new Ranks(directory, ENVIRONMENT)) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            ranks.awaitReady();
            JsonProcess registry = ranks.registryProcess();
            String key = prefill.await("ready").get("engineKey").asString();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get(registry, "/").body())
                            .contains("Ready: 1 of 1 prefill ranks have registered", "<td>" + key + "</td>"));
            assertThat(get(registry, "/metrics").body()).contains("weft_bootstrap_ranks 1.0");

            String browser = Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> "/usr/bin/" + name)
                    .filter(path -> Files.isExecutable(Path.of(path)))
                    .findFirst()
                    .orElse("");
            assumeThat(browser).as("a Chromium in /usr/bin").isNotEmpty();
            Path shown = directory.resolve("page.html");
            Process chromium = new ProcessBuilder(
                            browser,
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--user-data-dir=" + directory.resolve("browser"),
                            "--dump-dom",
                            "http://weft:" + OpsToken.of(SECRET) + "@127.0.0.1:" + port(registry) + "/")
                    .redirectOutput(shown.toFile())
                    .redirectError(directory.resolve("browser.log").toFile())
                    .start();
            try {
                assertThat(chromium.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                chromium.descendants().forEach(ProcessHandle::destroyForcibly);
                chromium.destroyForcibly();
            }
            assertThat(Files.readString(shown, StandardCharsets.UTF_8))
                    .contains("<h1>Weft registry</h1>", "Ready: 1 of 1 prefill ranks have registered", key);
        }
    }
}
