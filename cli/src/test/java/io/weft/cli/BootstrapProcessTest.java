package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.bootstrap.BootstrapClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code weft bootstrap} as drivers run it. */
@Timeout(120)
class BootstrapProcessTest {
    @TempDir
    Path directory;

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        ProcessBuilder weft = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.weft.cli.Main",
                        "bootstrap")
                .directory(directory.toFile())
                .redirectError(directory.resolve("err").toFile());
        weft.command().addAll(List.of(arguments));
        weft.environment().keySet().removeIf(name -> name.startsWith("WEFT_"));
        weft.environment().putAll(environment);
        return weft.start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servesUntilItIsToldToQuit(boolean told) throws Exception {
        Process weft = start(Map.of("WEFT_SECRET", "s"), "--port", "0");
        try (BufferedReader out = weft.inputReader(StandardCharsets.UTF_8);
                BootstrapClient client = new BootstrapClient("s", Duration.ofSeconds(5))) {
            JsonNode ready = JsonMapper.shared().readTree(out.readLine());
            assertThat(ready.propertyNames()).containsExactly("event", "host", "port");
            assertThat(ready.get("event").asString()).isEqualTo("ready");
            int port = ready.get("port").asInt();
            String registry = ready.get("host").asString() + ":" + port;
            client.registerDpRank(registry, 7, 3);
            assertThat(client.dpRanks(registry, List.of(7L))).isEqualTo(Map.of(7L, 3));
            if (told) {
                weft.outputWriter(StandardCharsets.UTF_8)
                        .append("{\"op\":\"dance\"}\n{\"op\":\"quit\"}\n")
                        .flush();
                assertThat(JsonMapper.shared()
                                .readTree(out.readLine())
                                .get("event")
                                .asString())
                        .isEqualTo("error");
            } else {
                weft.outputWriter().close();
            }
            assertThat(weft.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(weft.exitValue()).isZero();
            assertThat(out.readLine()).isNull();
            assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(ConnectException.class);
        } finally {
            weft.destroyForcibly();
        }
    }

    @Test
    void aWrongPortIsBadUsage() throws Exception {
        Process weft = start(Map.of(), "--port", "65536");
        assertThat(weft.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(weft.exitValue()).isEqualTo(2);
        assertThat(directory.resolve("err")).content().startsWith("weft: --port 65536");
    }
}
