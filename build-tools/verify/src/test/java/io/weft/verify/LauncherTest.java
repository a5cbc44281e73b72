package io.weft.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher on a tree of its own, with a Maven and a JDK that only say how they were called. */
@Timeout(60)
class LauncherTest {

    @TempDir
    private Path directory;

    private Path root;
    private Path jdk;
    private Path bin;

    @BeforeEach
    void makeTree() throws IOException {
        Path real = Path.of("../..").toRealPath();
        root = Files.createDirectories(directory.toRealPath().resolve("a tree with spaces"));
        bin = Files.createDirectories(directory.resolve("bin"));
        Files.createDirectories(root.resolve("build-tools"));
        Files.createDirectories(root.resolve("core/src/main/java"));
        Files.copy(real.resolve("weft"), root.resolve("weft"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(
                real.resolve("build-tools/maven"),
                root.resolve("build-tools/maven"),
                StandardCopyOption.COPY_ATTRIBUTES);
        Path script = Path.of("cli/src/dist/bin/weft");
        Files.createDirectories(root.resolve("cli/src/dist/bin"));
        Files.copy(real.resolve(script), root.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.writeString(root.resolve("core/src/main/java/A.java"), "class A {}");
        age(root.resolve("weft"), root.resolve("pom.xml"), root.resolve("core/src/main/java/A.java"));
        age(root.resolve("core/src/main/java"), root.resolve("core/src/main"));
        age(root.resolve(script), root.resolve("cli/src/dist/bin"));
        jdk = jdk("jdk-25", "25.0.1");
        script(bin.resolve("mvn"), """
                root=$(dirname "$4")
                echo "$*" >>"$root/mvn.calls"
                [ ! -e "$root/mvn.fails" ] || { cat "$root/mvn.fails"; exit 1; }
                sleep 0.2
                mkdir -p "$root/cli/target/app/lib"
                echo jar >"$root/cli/target/app/lib/weft-cli.jar"
                """);
    }

    @Test
    void buildsOnceThenRunsFromTheModulePath() throws Exception {
        Shell.Result first = weft("demo", "two words", "*");
        assertThat(first.status()).as(first.output()).isZero();
        assertThat(first.output().lines())
                .contains("-m", "io.weft.cli/io.weft.cli.Main", "demo", "two words", "*")
                .anyMatch(line -> line.startsWith(root + "/.weft/app.") && line.endsWith("/lib"));
        weft("demo");
        assertThat(builds()).hasSize(1);
    }

    @Test
    void buildsAgainWhenASourceIsNewerOrGone() throws Exception {
        weft();
        Files.writeString(root.resolve("core/src/main/java/A.java"), "class A { int a; }");
        weft();
        assertThat(builds()).hasSize(2);
        Files.delete(root.resolve("core/src/main/java/A.java"));
        weft();
        assertThat(builds()).hasSize(3);
        weft();
        assertThat(builds()).hasSize(3);
    }

    @Test
    void buildsOnceForTwoThatStartTogether() throws Exception {
        List<Process> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            both.add(new ProcessBuilder("env", "JAVA_HOME=" + jdk, "PATH=" + path(), "bash", root + "/weft")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
        for (Process process : both) {
            assertThat(process.waitFor()).isZero();
        }
        assertThat(builds()).hasSize(1);
    }

    @Test
    void worksThroughALinkAndFromAnywhere() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a tree with spaces/weft"));
        Path second = Files.createSymbolicLink(bin.resolve("weft"), link);
        Shell.Result result = run(directory, Map.of("JAVA_HOME", jdk.toString()), second.toString(), "x");
        assertThat(result.output()).contains(root + "/.weft/app.");
    }

    @Test
    void showsWhyTheBuildFailedAndRunsNothing() throws Exception {
        Files.writeString(root.resolve("mvn.fails"), "[INFO] x\n[ERROR] A.java:[1,1] not a statement\n");
        Shell.Result result = weft("demo");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.output())
                .contains("A.java:[1,1] not a statement", "build.log")
                .doesNotContain("[INFO]", "io.weft.cli.Main");
        assertThat(builds()).as("a compiler's error is not tried again online").hasSize(1);
    }

    /** Maven, told to go on after failed tests, calls that a success, and no result tells of it. */
    @Test
    void takesTestsThatWereKilledForAFailureOfTheBuild() throws Exception {
        script(bin.resolve("mvn"), "echo '[ERROR] There was a timeout in the fork'\n");
        Shell.Result result =
                run(directory, Map.of("JAVA_HOME", jdk.toString()), root + "/build-tools/maven", "verify");
        assertThat(result.status()).as(result.output()).isEqualTo(1);
    }

    @Test
    void goesOnlineOnlyWhenSomethingIsMissing() throws Exception {
        Files.writeString(
                root.resolve("mvn.fails"), "[ERROR] Cannot access central in offline mode and the artifact a:b\n");
        weft();
        assertThat(builds()).hasSize(2).first().asString().contains(" -o ");
        assertThat(builds()).last().asString().doesNotContain(" -o ");
    }

    @Test
    void runsTheLastBuildWhenToldNotToBuild() throws Exception {
        Map<String, String> skip = Map.of("JAVA_HOME", jdk.toString(), "WEFT_SKIP_BUILD", "1");
        assertThat(run(directory, skip, root + "/weft").output()).contains("nothing has been built");
        weft();
        Files.writeString(root.resolve("pom.xml"), "<changed/>");
        Shell.Result result = run(directory, skip, root + "/weft", "x");
        assertThat(result.status()).isZero();
        assertThat(result.output()).contains("WEFT_SKIP_BUILD=unset");
        assertThat(builds()).hasSize(1);
    }

    @Test
    void looksForAnotherJdkWhenJavaHomeIsTooOld() throws Exception {
        Path old = jdk("jdk-17", "17.0.15");
        Path newer = jdk("jdk-27", "27");
        String places = "jdk_places() { printf '%s\\n' '" + old + "' '" + newer + "' '" + jdk + "'; }";
        assertThat(findJdk(old, places).output().strip()).isEqualTo(jdk.toString());
    }

    @Test
    void saysWhatToInstallWhenThereIsNoJdk() throws Exception {
        Path old = jdk("jdk-17", "17.0.15");
        Shell.Result result = findJdk(old, "jdk_places() { echo '" + old + "'; }");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.output())
                .contains("needs JDK 25", old + " (17)", "apt-get install", "sdk install java", "export JAVA_HOME=");
    }

    @Test
    void saysWhatToInstallWhenThereIsNoMaven() throws Exception {
        Files.delete(bin.resolve("mvn"));
        for (String tool : List.of(
                "bash", "dirname", "mkdir", "find", "head", "sed", "rm", "grep", "tail", "cat", "sleep", "flock")) {
            for (String place : List.of("/usr/bin/", "/bin/")) {
                if (Files.exists(Path.of(place + tool)) && !Files.exists(bin.resolve(tool))) {
                    Files.createSymbolicLink(bin.resolve(tool), Path.of(place + tool));
                }
            }
        }
        Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString(), "PATH", bin.toString(), "MAVEN_HOME", "");
        Shell.Result result = new Shell(directory, environment).capture(List.of("bash", root + "/weft"));
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.output()).contains("Maven 3.8.7", "apt-get install maven");
    }

    private Shell.Result findJdk(Path javaHome, String places) throws Exception {
        String script = "source \"$1\"; " + places + "; find_jdk; echo \"$JAVA_HOME\"";
        Map<String, String> environment = Map.of("JAVA_HOME", javaHome.toString());
        return new Shell(directory, environment).capture(List.of("bash", "-c", script, "test", root + "/weft"));
    }

    private Shell.Result weft(String... arguments) throws Exception {
        return run(directory, Map.of("JAVA_HOME", jdk.toString()), root + "/weft", arguments);
    }

    private Shell.Result run(Path in, Map<String, String> environment, String launcher, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "PATH=" + path(), "bash", launcher));
        command.addAll(List.of(arguments));
        return new Shell(in, environment).capture(command);
    }

    private String path() {
        return bin + ":" + System.getenv("PATH");
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(root.resolve("mvn.calls"));
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), "printf '%s\\n' \"$@\" \"WEFT_SKIP_BUILD=${WEFT_SKIP_BUILD:-unset}\"\n");
        script(home.resolve("bin/javac"), "");
        return home;
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void age(Path... files) throws IOException {
        for (Path file : files) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(1))));
        }
    }
}
