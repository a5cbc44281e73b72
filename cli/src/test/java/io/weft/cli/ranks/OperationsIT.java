package io.weft.cli.ranks;

import static io.weft.cli.ranks.RankTools.get;
import static io.weft.cli.ranks.RankTools.port;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weft.ops.OpsToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operations endpoint of real processes, and who looks at it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OperationsIT {
    @TempDir
    Path directory;

    @Test
    void inspectFindsAProcessByItsIdAndLooksAgain() throws Exception {
        try (Ranks ranks = new Ranks(directory, RankTools.ENVIRONMENT)) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            ranks.awaitReady();
            assertThat(get(prefill, "/metrics").body()).contains("weft_kv_rooms_ended_total{role=\"prefill\"");
            ProcessBuilder watch = new ProcessBuilder(
                            JsonProcess.weft("inspect", Long.toString(prefill.pid()), "--json", "--watch"))
                    .redirectError(directory.resolve("inspect.log").toFile());
            watch.environment().put("WEFT_SECRET", RankTools.SECRET);
            Process inspect = watch.start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(inspect.getInputStream(), StandardCharsets.UTF_8))) {
                for (int look = 0; look < 2; look++) {
                    JsonNode view = JsonMapper.shared().readTree(nextLine(lines));
                    assertThat(view.get("pid").asLong()).isEqualTo(prefill.pid());
                    assertThat(view.get("engine").get("key").asString())
                            .isEqualTo(prefill.await("ready").get("engineKey").asString());
                }
            } finally {
                inspect.destroyForcibly();
            }
        }
    }

    /** Between looks there is an empty line. */
    private String nextLine(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (line != null && line.isBlank()) {
            line = lines.readLine();
        }
        assertThat(line).as(() -> read(directory.resolve("inspect.log"))).isNotNull();
        return String.valueOf(line);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return gone.toString();
        }
    }

    @Test
    void theRegistrysPageShowsItsRanksInABrowser() throws Exception {
        try (Ranks ranks = new Ranks(directory, RankTools.ENVIRONMENT)) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            ranks.awaitReady();
            JsonProcess registry = ranks.registryProcess();
            String key = prefill.await("ready").get("engineKey").asString();
            Awaitility.await()
                    .atMost(RankTools.PATIENCE)
                    .untilAsserted(() -> assertThat(get(registry, "/").body())
                            .contains(
                                    "Ready: 1 of 1 prefill ranks have registered",
                                    ">" + key + "</span></td>",
                                    "weft inspect 127.0.0.1:" + port(prefill)));
            assertThat(get(registry, "/health/live").body())
                    .contains("\"registry\",\"ok\":true", "\"timer thread\",\"ok\":true");
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
                            "http://weft:" + OpsToken.of(RankTools.SECRET) + "@127.0.0.1:" + port(registry) + "/")
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
