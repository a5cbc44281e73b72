package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class OptionsCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theReferenceInDocsIsWhatTheToolPrints() throws IOException {
        assertThat(run(Map.of(), "options", "--markdown")).isZero();
        Path written = Files.writeString(Path.of("target", "configuration.md"), out.toString());

        assertThat(Path.of("..", "docs", "configuration.md"))
                .as("write it anew by: ./weft options --markdown > docs/configuration.md")
                .hasSameTextualContentAs(written);
    }

    @Test
    void showsTheValueInForceAndWhereItComesFrom() throws IOException {
        Path file = Files.writeString(directory.resolve("my.conf"), "weft.link.window = 16MiB\n");

        assertThat(run(
                        Map.of("WEFT_TRANSFER_DEADLINE", "7s", "MORI_NODE_ID", "node-7", "WEFT_SECRET", "hunter2"),
                        "options",
                        "engine",
                        "--effective",
                        "--set",
                        "weft.trust=strict",
                        "--config",
                        file.toString()))
                .isZero();

        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches("weft.transfer.deadline +7s +environment WEFT_TRANSFER_DEADLINE +30s *"))
                .anyMatch(line -> line.matches("weft.node-id +node-7 +environment MORI_NODE_ID *"))
                .anyMatch(line -> line.matches("weft.trust +strict +command line +normal *"))
                .anyMatch(line -> line.matches("weft.link.window +16MiB +my.conf: 1 +64MiB *"))
                .anyMatch(line -> line.matches("weft.queue.transfers +65536 +default +65536 *"))
                .anyMatch(line -> line.matches("weft.secret +\\(set, not shown\\) +environment WEFT_SECRET *"));
        assertThat(out.toString()).doesNotContain("hunter2", "weft.backend.");
    }

    @Test
    void jsonHasValueOriginDefaultRangeAndAliases() {
        assertThat(run(Map.of("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "1500"), "options", "--json"))
                .isZero();

        JsonNode deadline = StreamSupport.stream(
                        JsonMapper.shared()
                                .readTree(out.toString())
                                .get("options")
                                .spliterator(),
                        false)
                .filter(option -> option.get("key").asString().equals("weft.transfer.deadline"))
                .findFirst()
                .orElseThrow();
        assertThat(deadline.get("value").asString()).isEqualTo("1500ms");
        assertThat(deadline.get("origin").asString()).isEqualTo("environment SGLANG_MORI_TRANSFER_TIMEOUT_MS");
        assertThat(deadline.get("default").asString()).isEqualTo("30s");
        assertThat(deadline.get("allowed").asString()).contains("from 1ms to 24h");
        assertThat(deadline.get("environment").asString()).isEqualTo("WEFT_TRANSFER_DEADLINE");
        assertThat(deadline.get("aliases").get(0).asString()).isEqualTo("SGLANG_MORI_TRANSFER_TIMEOUT_MS");
    }

    @Test
    void warnsAboutAForeignZeroDeadline() {
        assertThat(run(Map.of("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "0"), "options"))
                .isZero();
        assertThat(err.toString())
                .contains("weft: warning: SGLANG_MORI_TRANSFER_TIMEOUT_MS=0 would switch a deadline off");
    }

    @Test
    void anUnknownComponentIsBadUsageAndNamesTheKnownOnes() {
        assertThat(run(Map.of(), "options", "engin")).isEqualTo(2);
        assertThat(err.toString()).contains("no component is called engin; there are weft, engine");
    }

    private int run(Map<String, String> environment, String... args) {
        ConfigurationSources sources = ConfigurationSources.none(directory).withEnvironment(environment);
        return Main.run(sources, new PrintWriter(out), new PrintWriter(err), args);
    }
}
