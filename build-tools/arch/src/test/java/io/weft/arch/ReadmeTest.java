package io.weft.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what compiles and runs. */
@Timeout(120)
class ReadmeTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String EXAMPLE = "consumers/classpath/src/main/java/com/example/pages/PageTransfer.java";
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

    @TempDir
    private Path classes;

    @Test
    void showsTheMainMethodOfTheExample() throws IOException {
        String shown = block("java");
        assertThat(stripped(Files.readString(ROOT.resolve(EXAMPLE)).lines()).collect(Collectors.joining("\n")))
                .contains(stripped(shown.lines()).collect(Collectors.joining("\n")));
        assertThat(shown).startsWith("public static void main(").endsWith("\n}\n");
    }

    @Test
    void exampleCompilesAndRuns() throws Exception {
        List<String> path = classPath();
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        System.out,
                        System.err,
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-cp",
                        String.join(File.pathSeparator, path),
                        ROOT.resolve(EXAMPLE).toString());
        assertThat(compiled).as("exit status of javac").isZero();

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + File.pathSeparator + String.join(File.pathSeparator, path),
                        "com.example.pages.PageTransfer")
                .redirectErrorStream(true)
                .start();
        try (InputStream in = process.getInputStream()) {
            String output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(output).contains("page 3 starts with 42, carried by tcp");
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void namesTheVersionThatIsBuilt() throws IOException {
        Matcher revision =
                Pattern.compile("<revision>(.*)</revision>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(revision.find()).isTrue();
        assertThat(block("xml")).contains("<version>" + revision.group(1) + "</version>");
    }

    @Test
    void linksToWhatIsThere() throws IOException {
        for (String page : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            Matcher link = LINK.matcher(Files.readString(ROOT.resolve(page)));
            while (link.find()) {
                assertThat(ROOT.resolve(link.group(1)))
                        .as("linked from %s", page)
                        .exists();
            }
        }
    }

    /** What an application with core and the tcp backend has; other backends would be chosen where they are usable. */
    private static List<String> classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> !entry.contains("backend-libfabric")
                        && !entry.contains("backend-rdma")
                        && !entry.contains("testkit"))
                .toList();
    }

    private static String block(String language) throws IOException {
        Matcher matcher =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(readme());
        assertThat(matcher.find()).as("a block of %s in README.md", language).isTrue();
        return matcher.group(1);
    }

    private static Stream<String> stripped(Stream<String> lines) {
        return lines.map(String::strip).filter(line -> !line.isEmpty());
    }

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }
}
