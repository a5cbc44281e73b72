package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.Verdict;
import io.weft.config.ConfigurationSources;
import io.weft.config.KnownOption;
import io.weft.discovery.Discovery;
import io.weft.discovery.Installation;
import io.weft.tck.contract.Contract;
import io.weft.telemetry.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The names that docs/compatibility.md promises, against those that were there before. */
@Timeout(60)
class NamesTest {
    @Test
    void namesThatUsersHoldStayAsTheyAre(@TempDir Path directory) throws IOException {
        List<String> now = Stream.of(
                        options(directory),
                        Stream.of(ErrorCode.values()).map(c -> "code " + c + " " + c.number()),
                        Stream.of(Verdict.values()).map(v -> "verdict " + v),
                        Stream.of(Metric.values())
                                .map(m -> "metric " + m.metricName() + " " + m.kind() + " " + m.unit() + " "
                                        + m.labels()),
                        Contract.load().rules().stream().map(r -> "rule " + r.id()),
                        commands())
                .flatMap(names -> names)
                .sorted()
                .toList();

        Path written = Files.write(Path.of("target", "names.txt"), now);
        assertThat(now)
                .as(
                        "names are API (docs/compatibility.md); one that goes or changes belongs into CHANGELOG.md, then copy "
                                + written + " over names.txt, as every release does")
                .containsAll(before());
    }

    private static List<String> before() throws IOException {
        try (InputStream file = Objects.requireNonNull(NamesTest.class.getResourceAsStream("names.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static Stream<String> options(Path directory) {
        // Backends of tests have options that nobody relies on.
        Discovery shipped = Discovery.ofApplication().deny(List.of("mem"));
        return Installation.load(shipped, ConfigurationSources.none(directory), List.of()).options().options().stream()
                .filter(o -> !o.group().name().equals("mem"))
                .map(NamesTest::text);
    }

    private static String text(KnownOption option) {
        return "option " + option.key() + " " + option.spec().type() + " "
                + option.spec().aliases();
    }

    private static Stream<String> commands() {
        CommandLine line = Main.commandLine(new Main(ConfigurationSources.none(Path.of(""))), new String[0]);
        return line.getSubcommands().keySet().stream().map(name -> "command " + name);
    }
}
