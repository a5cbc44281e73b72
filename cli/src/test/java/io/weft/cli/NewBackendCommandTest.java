package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weft new-backend} writes compiles, and the kit says of it what is promised. */
@Timeout(120)
class NewBackendCommandTest {
    private static final String MAIN = "src/main/java";
    private static final String TEST = "src/test/java";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int weft(String... args) {
        return Main.run(ConfigurationSources.none(Path.of("none")), new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void aFreshBackendCompilesAndTheKitSaysWhatIsMissing(@TempDir Path scratch) throws Exception {
        Path project = written(scratch, "acme-fabric", "empty");
        Path classes = compiled(project);
        Kit kit = kit(classes, scratch, "acme-fabric", "WR-1");
        assertThat(kit.exit).as(kit.said).isEqualTo(1);
        assertThat(kit.said)
                .containsSubsequence(
                        "What to do next on backend acme-fabric",
                        "3. open and close",
                        "write Backend.capabilities: it declares no transfer at all",
                        "4. memory",
                        "write Backend.register: it threw",
                        "5. links",
                        "write Backend.connect: it threw",
                        "6. fences",
                        "write Backend.fencePeer: it threw",
                        "acme-fabric: UNFINISHED: next is step 3, open and close, with Backend.capabilities")
                .doesNotContain("harness");
    }

    @Test
    void withTheMemcpyBodyItPassesTheKit(@TempDir Path scratch) throws Exception {
        Path project = written(scratch, "acme", "memcpy");
        Path classes = compiled(project);
        Kit kit = kit(classes, scratch, "acme", "CAP,CFG,REG,DSC,WR,RD,BP");
        assertThat(kit.exit).as(kit.said).isZero();
    }

    @Test
    void namesThatCannotBeAndDirectoriesThatAreThereAreRefused(@TempDir Path scratch) throws IOException {
        assertThat(weft(
                        "new-backend",
                        "Acme",
                        "--directory",
                        scratch.resolve("a").toString()))
                .isEqualTo(2);
        assertThat(weft(
                        "new-backend",
                        "acme",
                        "--package",
                        "com.Acme!",
                        "--directory",
                        scratch.resolve("b").toString()))
                .isEqualTo(2);
        Files.createFile(scratch.resolve("kept"));
        assertThat(weft("new-backend", "acme", "--directory", scratch.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("'Acme' cannot be a backend's name", "no package name", "is there and not empty");
        assertThat(scratch.resolve("pom.xml")).doesNotExist();
    }

    private Path written(Path scratch, String name, String body) {
        Path project = scratch.resolve("project");
        int exit = weft("new-backend", name, "--body", body, "--directory", project.toString());
        assertThat(exit).as("%s%s", out, err).isZero();
        assertThat(project.resolve("pom.xml")).content().contains("<artifactId>weft-backend-" + name);
        assertThat(project.resolve(".github/workflows/build.yml")).exists();
        return project;
    }

    private static Path compiled(Path project) throws IOException {
        Path classes = project.resolve("target/classes");
        Files.createDirectories(classes);
        // With its module-info, as Maven does it; then what runs the kit, which is on the class path.
        javac(project.resolve(MAIN), classes, "--module-path", path(), "--add-modules", "io.weft.api");
        Path tests = Files.createDirectories(project.resolve("target/test-classes"));
        javac(project.resolve(TEST), tests, "-cp", path() + File.pathSeparator + classes);
        Path services = project.resolve("src/main/resources/META-INF/services");
        Path there = classes.resolve("META-INF/services");
        Files.createDirectories(there);
        Files.copy(services.resolve("io.weft.spi.BackendProvider"), there.resolve("io.weft.spi.BackendProvider"));
        return classes;
    }

    private static void javac(Path sources, Path classes, String... options) throws IOException {
        List<String> args = new ArrayList<>(Arrays.asList(options));
        args.addAll(List.of("-Xlint:all", "-proc:none", "--release", "25", "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(args::add);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int exit = ToolProvider.getSystemJavaCompiler().run(null, said, said, args.toArray(String[]::new));
        assertThat(exit)
                .as("javac of %s: %s", sources, said.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    /** Everything that these tests run on, wherever the build put it. */
    private static String path() {
        String modules = System.getProperty("jdk.module.path", "");
        String classes = System.getProperty("java.class.path", "");
        return modules.isEmpty() ? classes : classes.isEmpty() ? modules : modules + File.pathSeparator + classes;
    }

    private record Kit(int exit, String said) {}

    private static Kit kit(Path classes, Path scratch, String backend, String rules)
            throws IOException, InterruptedException {
        Path log = scratch.resolve("kit.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes + File.pathSeparator + path(),
                        Main.class.getName(),
                        "tck",
                        "--backend",
                        backend,
                        "--profile",
                        "quick",
                        "--rules",
                        rules,
                        "--report",
                        scratch.resolve("report").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS))
                    .as("the kit ended")
                    .isTrue();
            return new Kit(process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }
}
