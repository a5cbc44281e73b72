package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class CliTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("weft ");
    }

    @ParameterizedTest
    @CsvSource({
        "'', a command is missing",
        "frobnicate, Unmatched argument at index 0: 'frobnicate'",
        "backends --jsn, Unknown option: '--jsn'",
        "backends --set lanes, 'should be in KEY=VALUE format but was lanes'",
    })
    void badUsageIsOneLineAndExitCode2(String line, String words) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("weft: ").contains(words).doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aWrongOptionIsToldBesideTheListingAndExitsWith2() {
        assertThat(run("backends", "--set", "weft.backends.alow=tcp")).isEqualTo(2);
        assertThat(err.toString())
                .contains("weft.backends.alow (command line): no such option; did you mean weft.backends.allow?");
        assertThat(out.toString()).isNotEmpty();
    }

    @Test
    void jsonStandsAloneAndHasTheStatedKeys() {
        assertThat(run("backends", "--json")).isZero();

        JsonNode root = JsonMapper.shared().readTree(out.toString());
        assertThat(root.propertyNames()).containsExactly("backends");
        assertThat(root.get("backends"))
                .allSatisfy(backend -> assertThat(backend.propertyNames())
                        .containsExactly("name", "version", "spiLevel", "source", "usable", "reason", "devices"));
    }

    private int run(String... args) {
        ConfigurationSources nothing = ConfigurationSources.none(directory).withEnvironment(Map.of());
        return Main.run(nothing, new PrintWriter(out), new PrintWriter(err), args);
    }
}
