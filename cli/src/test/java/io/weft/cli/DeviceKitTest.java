package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The kit's rules about bytes with fake device memory on either side and on both. The kit runs in a process of its own, which a
 * load or store of the CPU on device memory ends by a signal. About 20 s over tcp and 40 s over libfabric on two processors.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("long")
class DeviceKitTest {
    private static final List<String> RULES =
            List.of("DEV-1", "DEV-2", "DEV-3", "DEV-4", "DEV-5", "DEV-6", "WR-1", "WR-9", "RD-1", "RD-9", "REG-8");
    /** Where source and destination are; both in host memory is what the kit tries without {@code --memory}. */
    private static final List<String> KINDS = List.of("fake->fake", "fake->host", "host->fake");

    private static final long PATIENCE_SECONDS = 280;

    @TempDir
    Path directory;

    @Test
    void tcpMovesDeviceMemoryAsTheContractSays() throws IOException, InterruptedException {
        everyRulePassesWithEveryPairOfKinds("tcp");
    }

    @Test
    void libfabricMovesDeviceMemoryAsTheContractSays() throws IOException, InterruptedException {
        Assumptions.assumeTrue(InProcess.isUsable(directory, "libfabric"), "libfabric cannot be used here");
        everyRulePassesWithEveryPairOfKinds("libfabric", "--option", "provider=tcp");
    }

    private void everyRulePassesWithEveryPairOfKinds(String backend, String... options)
            throws IOException, InterruptedException {
        Path report = directory.resolve("report");
        List<String> arguments = new ArrayList<>(List.of("tck", "--backend", backend));
        arguments.addAll(List.of(options));
        // Profile quick would try one pair of kinds only.
        arguments.addAll(List.of("--memory", "fake", "--profile", "standard"));
        arguments.addAll(List.of("--rules", String.join(",", RULES), "--report", report.toString()));
        Path log = directory.resolve("log");
        int exit = weft(log, arguments);
        assertThat(exit)
                .as("exit code, above 128 if a signal ended the kit; it printed: %s", Files.readString(log))
                .isZero();

        Map<String, String> verdicts = new LinkedHashMap<>();
        JsonMapper.shared()
                .readTree(Files.readString(report.resolve("certificate.json")))
                .get("rules")
                .forEach(rule -> verdicts.put(
                        rule.get("id").asString(), rule.get("verdict").asString()));
        List<String> cases = Files.readAllLines(report.resolve("TEST-weft-tck.xml"));
        for (String rule : RULES) {
            assertThat(verdicts).containsEntry(rule, "passed");
            for (String kinds : KINDS) {
                assertThat(cases)
                        .as("cases of %s with %s", rule, kinds)
                        .anyMatch(line -> line.contains("classname=\"weft.tck." + rule + "\"")
                                && line.contains(kinds.replace(">", "&gt;")));
            }
        }
    }

    /** The exit code of the command as a process; 137 if it did not end in time. */
    private int weft(Path log, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weft.cli.Main"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("WEFT_"));
        Process process = builder.start();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
        return process.waitFor();
    }
}
