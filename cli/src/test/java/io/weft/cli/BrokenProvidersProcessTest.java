package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.testkit.jars.VendorProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command as a user runs it, with a good backend and every kind of broken one on its class path. */
@Timeout(120)
class BrokenProvidersProcessTest {
    private static final String HANG =
            "try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException e) { } return null;";

    @TempDir
    Path directory;

    @Test
    void brokenProvidersAreReportedAndTheGoodOneWorks() throws IOException, InterruptedException {
        List<Path> jars = List.of(
                VendorProvider.good("a.Good", "good").jar().build(directory.resolve("good.jar")),
                VendorProvider.good("a.Throwing", "throwing")
                        .withMembers("public NAME() { throw new IllegalStateException(\"no licence\"); }")
                        .jar()
                        .build(directory.resolve("throwing.jar")),
                VendorProvider.good("a.Level", "level")
                        .withLevel("new SpiLevel(9, 0)")
                        .jar()
                        .build(directory.resolve("level.jar")),
                VendorProvider.good("a.First", "twin").jar().build(directory.resolve("first.jar")),
                VendorProvider.good("a.Second", "twin").jar().build(directory.resolve("second.jar")),
                VendorProvider.good("a.Hanging", "hanging")
                        .withProbe(HANG)
                        .jar()
                        .build(directory.resolve("hanging.jar")));

        JsonNode root = JsonMapper.shared().readTree(backendsJson(jars));

        Map<String, String> reasons = StreamSupport.stream(root.get("backends").spliterator(), false)
                .filter(b -> !b.get("usable").asBoolean())
                .collect(Collectors.toMap(
                        b -> b.get("name").asString(), b -> b.get("reason").asString(), (a, b) -> a + "\n" + b));
        assertThat(reasons.get("a.Throwing")).contains("IllegalStateException: no licence");
        assertThat(reasons.get("level")).contains("built for SPI level 9.0");
        assertThat(reasons.get("twin")).contains("first.jar", "second.jar").hasLineCount(2);
        assertThat(reasons.get("hanging")).contains("the probe did not end within 1000 ms; it is at a.Hanging.probe");
        assertThat(root.get("backends")).anySatisfy(b -> {
            assertThat(b.get("name").asString()).isEqualTo("good");
            assertThat(b.get("usable").asBoolean()).isTrue();
            assertThat(b.get("source").asString()).contains("good.jar");
        });
    }

    private String backendsJson(List<Path> jars) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        String classPath = System.getProperty("java.class.path")
                + jars.stream()
                        .map(jar -> System.getProperty("path.separator") + jar)
                        .collect(Collectors.joining());
        ProcessBuilder weft = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        "io.weft.cli.Main",
                        "backends",
                        "--json")
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        weft.environment().keySet().removeIf(name -> name.startsWith("WEFT_"));
        weft.environment().put("WEFT_BACKENDS_PROVIDER_TIMEOUT", "1s");
        Process process = weft.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("weft backends ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(err)).isEmpty();
        assertThat(process.exitValue()).isZero();
        return Files.readString(out);
    }
}
