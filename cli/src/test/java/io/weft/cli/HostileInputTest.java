package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever somebody gives the command, it answers in one line and with exit code 1 or 2. */
@Timeout(60)
class HostileInputTest {
    private static final String SECRET = "hunter2-hunter2";

    @TempDir
    Path directory;

    static Stream<List<String>> settings() {
        return Stream.of(
                List.of("", "an empty key (command line): no such option"),
                List.of("weft.\u202e", "weft.\\u202e (command line): no such option"),
                List.of("weft." + "x".repeat(100_000), "... (100005 characters) (command line): no such option"),
                List.of("weft.transfer", "no option by itself; those below it are weft.transfer.cancel-grace"),
                List.of("weft.transfer.deadline=5", "the unit is missing, write it like 5s"),
                List.of("weft.transfer.deadline=-5s", "'-5s': out of range"),
                List.of("weft.transfer.deadline=1e5s", "not a duration"),
                List.of("weft.transfer.deadline=\uff15s", "not a duration"),
                List.of("weft.transfer.deadline=" + "9".repeat(5000) + "h", "too large"),
                List.of("weft.transfer.deadline=5s\nx", "'5s\\u000ax': it holds the character U+000A"),
                List.of("weft.plugins=a\0b", "it holds the character U+0000"),
                List.of("weft.listen.host=\u202elocalhost", "it holds the character U+202E"),
                List.of("weft.listen.port=70000", "allowed: a whole number from 0 to 65535"),
                List.of("weft.exact-key=yes", "neither true nor false"),
                List.of("weft.secret=" + SECRET, "a secret on the command line is visible"));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("settings")
    void settingsOfTheCommandLine(List<String> keyAndWords) {
        String setting = keyAndWords.get(0).contains("=") ? keyAndWords.get(0) : keyAndWords.get(0) + "=1";

        assertOneLine(InProcess.weft(directory, "options", "--set", setting), 2, keyAndWords.get(1));
    }

    static Stream<List<String>> files() {
        return Stream.of(
                List.of("weft { a = ${b}", "weft.conf: "),
                List.of("\0\1\2{{{", "is not valid HOCON"),
                List.of("a{".repeat(100_000), "is nested too deeply"),
                List.of("weft.transfer = 5", "no option by itself"),
                List.of("weft.transfer.deadline { x = 1 }", "did you mean weft.transfer.deadline?"),
                List.of("weft.backends.order = [tcp, {a = 1}]", "a list of anything but texts"),
                List.of("weft.listen.port = 1.5", "not a whole number"),
                List.of("weft.secret = \"" + SECRET, "is not shown, because the file seems to hold a secret"),
                List.of("weft.secretly = " + SECRET, "did you mean weft.secret?"),
                List.of("#" + "x".repeat(2_000_000), "it is larger than 1048576 bytes"),
                List.of("weft.secret-file = \"a\\u0000b\"", "it holds the character U+0000"));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("files")
    void contentsOfAFile(List<String> textAndWords) throws IOException {
        Files.writeString(directory.resolve("weft.conf"), textAndWords.get(0));

        assertOneLine(InProcess.weft(directory, "options", "--effective"), 2, textAndWords.get(1));
    }

    @Test
    void anEmptyFileSaysNothing() throws IOException {
        Files.createFile(directory.resolve("weft.conf"));

        InProcess run = InProcess.weft(directory, "options");

        assertThat(run.exit()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void whatIsNoFileIsNotReadAsOne() throws IOException {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));

        for (Map.Entry<String, String> bad : Map.of(
                        directory.toString(),
                        "is a directory",
                        "/",
                        "the file / is a directory",
                        "",
                        "the name of the file is empty",
                        binary.toString(),
                        "it is not UTF-8 text",
                        dangling.toString(),
                        "does not exist",
                        loop.toString(),
                        "cannot be read: ",
                        "/dev/zero",
                        "it is larger than")
                .entrySet()) {
            String name = bad.getKey();
            assertOneLine(InProcess.weft(directory, "options", "--config", name), 2, bad.getValue());
            assertOneLine(InProcess.weft(directory, "descriptor", "decode", "@" + name), 1, bad.getValue());
            if (!name.isEmpty()) { // an empty variable is one that is not set
                Map<String, String> environment = Map.of("WEFT_SECRET_FILE", name);
                assertOneLine(InProcess.weft(directory, environment, "options"), 2, bad.getValue());
            }
        }
    }

    @Test
    void everythingWrongIsToldAtOnceEachOnItsLine() throws IOException {
        Files.writeString(directory.resolve("weft.conf"), "weft.transfer.deadlin = 5s\nweft.listen.port = -1");

        InProcess run = InProcess.weft(
                directory,
                Map.of("WEFT_CONTROL_TIMEOUT", "5 parsecs", "WEFT_LANES", "3"),
                "explain",
                "--set",
                "weft.route.policy=wran");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(6).first().asString().contains("configuration has 5 errors:");
        assertThat(run.err())
                .contains(
                        "weft.transfer.deadlin (weft.conf: 1): no such option; did you mean weft.transfer.deadline?",
                        "weft.listen.port (weft.conf: 2): '-1': out of range",
                        "WEFT_CONTROL_TIMEOUT (environment WEFT_CONTROL_TIMEOUT): '5 parsecs': unknown unit",
                        "WEFT_LANES (environment): no such option",
                        "weft.route.policy (command line): 'wran': not among the choices; did you mean warn?");
    }

    @Test
    void aSecretIsShownNowhere() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), SECRET);
        for (Map<String, String> environment : List.of(
                Map.of("WEFT_SECRET", SECRET, "WEFT_LOG_LEVEL", "trace"),
                Map.of("WEFT_SECRET_FILE", file.toString(), "WEFT_LOG_LEVEL", "trace"))) {
            for (String[] command : new String[][] {
                {"options", "--effective"},
                {"options", "--json"},
                {"explain", "--debug"},
                {"explain", "--set", "weft.listen.port=-1"},
                {"backends", "--set", "weft.none=1"},
                {"doctor", "--json"}
            }) {
                InProcess run = InProcess.weft(directory, environment, command);
                assertThat(run.out() + run.err()).doesNotContain(SECRET).isNotEmpty();
            }
        }
        assertThat(InProcess.weft(directory, Map.of("WEFT_SECRET", SECRET), "options", "--effective")
                        .out())
                .containsPattern("weft\\.secret +\\(set, not shown\\) +environment WEFT_SECRET");
    }

    static Stream<List<String>> descriptors() {
        return Stream.of(
                List.of("decode", "", "[DECODE_ERROR]"),
                List.of("decode", "dd7fffffff", "[DECODE_ERROR]"),
                List.of("decode", "91".repeat(20_000), "[DECODE_ERROR]"),
                List.of("encode", "", "its \"kind\" is neither"),
                List.of("encode", "null", "its \"kind\" is neither"),
                List.of("encode", "[".repeat(100_000), "it is no JSON"),
                List.of(
                        "encode",
                        "{\"kind\":\"EngineDesc\",\"values\":{\"key\":\"a\u202e\"}}",
                        "values.nodeId is missing"));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("descriptors")
    void descriptorsThatAreNone(List<String> words) {
        assertOneLine(InProcess.weft(directory, "descriptor", words.get(0), words.get(1)), 1, words.get(2));
    }

    @Test
    void pluginsThatAreNoneAreNamedAndDisturbNothing() throws IOException {
        Path plugins = directory.resolve("plugins");
        for (String name : List.of("corrupt", "empty", "hollow", "directory", "dangling", "uni\u00e9")) {
            Files.createDirectories(plugins.resolve(name));
        }
        Files.write(plugins.resolve("corrupt/a.jar"), "PK\3\4rest".getBytes(StandardCharsets.ISO_8859_1));
        Files.createFile(plugins.resolve("empty/a.jar"));
        Files.createDirectories(plugins.resolve("directory/a.jar"));
        Files.createSymbolicLink(plugins.resolve("dangling/a.jar"), Path.of("nowhere"));
        Files.createFile(plugins.resolve("stray.jar"));

        InProcess run = InProcess.weft(directory, Map.of("WEFT_PLUGINS", plugins.toString()), "backends");

        assertThat(run.exit()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("tcp +[^ ]* +0\\.[0-9]+ +yes")
                .contains(
                        "plugin directory: ",
                        "a.jar is no file",
                        "a.jar is a broken link",
                        "plugin hollow: the directory ",
                        "plugin corrupt: ",
                        "plugin empty: ",
                        "plugin stray.jar: ",
                        "plugin uni\u00e9: ")
                .doesNotContain("\tat ");
    }

    @Test
    void onlyTheirUserSeesTheBackendsOfTests() {
        assertThat(InProcess.weft(directory, "backends").out()).doesNotContain("testkit");
        assertThat(InProcess.weft(directory, "backends", "--all").out()).containsPattern("(?m)^mem ");
        assertThat(InProcess.weft(directory, "backends", "--set", "weft.backends.order=mem")
                        .out())
                .containsPattern("(?m)^mem ");
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws IOException {
        StringWriter err = new StringWriter();
        try (StandardOutput full = new StandardOutput(Files.newOutputStream(Path.of("/dev/full")))) {
            PrintWriter out = new PrintWriter(full, false, StandardCharsets.UTF_8);
            out.println("text");
            out.flush();

            assertThat(full.exit(0, new PrintWriter(err, true))).isEqualTo(1);
        }
        assertThat(err.toString()).contains("standard output cannot be written: No space left on device");
    }

    private static void assertOneLine(InProcess run, int exit, String words) {
        assertThat(run.err()).contains(words).doesNotContain(SECRET).doesNotContain("defect in weft");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err().length()).isLessThan(2000);
        assertThat(run.out()).doesNotContain(SECRET);
        assertThat(run.exit()).isEqualTo(exit);
    }
}
