package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.config.ConfigurationSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark with both its processes, for as short as it goes. */
@Timeout(120)
class BenchCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(
                ConfigurationSources.none(directory), new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "read"})
    void measuresAndVerifiesBetweenTwoProcesses(String op) throws IOException {
        Path json = directory.resolve("rows.json");
        int exit = run(
                "bench",
                "--op",
                op,
                "--size",
                "1KiB,100KiB",
                "--batch",
                "1,3",
                "--lanes",
                "2",
                "--layout",
                "shuffled",
                "--working-set",
                "1MiB",
                "--seconds",
                "0.05",
                "--warmup",
                "0",
                "--in-flight",
                "2",
                "--json",
                json.toString());

        assertThat(exit).as(err.toString()).isZero();
        JsonNode report = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(report.get("kernel").asString()).isNotEmpty();
        assertThat(report.get("rows")).hasSize(4).allSatisfy(row -> {
            assertThat(row.get("verified").asBoolean()).isTrue();
            assertThat(row.get("gigabytesPerSecond").asDouble()).isPositive();
            assertThat(row.get("p50Micros").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(row.get("p999Micros").asDouble());
            assertThat(row.get("lanes").asInt()).isEqualTo(2);
        });
        assertThat(out.toString()).contains("100KiB");
    }

    @Test
    void anUnknownBackendIsTold() {
        assertThat(run("bench", "--backend", "carrier-pigeon", "--seconds", "0.05"))
                .isPositive();
        assertThat(err.toString()).contains("ended early");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--size 4XB", "--size 0", "--batch 0", "--seconds 0", "--working-set warm", "--op move"})
    void badUsageExitsWith2(String options) {
        assertThat(run(("bench " + options).split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("weft: ");
    }

    @ParameterizedTest
    @CsvSource({"64, 64", "4KiB, 4096", "1MiB, 1048576", "2GiB, 2147483648", "10B, 10"})
    void readsSizes(String text, long bytes) {
        assertThat(ByteSizes.one(text, this::badUsage)).isEqualTo(bytes);
    }

    @Test
    void readsRangesOfSizes() {
        assertThat(ByteSizes.list("64..4KiB,5", this::badUsage)).isEqualTo(List.of(64L, 256L, 1024L, 4096L, 5L));
        assertThat(ByteSizes.list("1KiB..1KiB", this::badUsage)).isEqualTo(List.of(1024L));
        assertThatThrownBy(() -> ByteSizes.list("64..", this::badUsage)).isInstanceOf(ParameterException.class);
    }

    private ParameterException badUsage(String text) {
        return new ParameterException(new CommandLine(CommandLine.Model.CommandSpec.create()), text);
    }
}
