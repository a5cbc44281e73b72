package io.weft.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs over trees that hold nothing but parts. */
@Timeout(60)
class VerifyTest {

    private static final String PACKAGE = "weft-no-such-package";

    @TempDir
    private Path root;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void makeTree() throws IOException {
        Files.createDirectories(root.resolve("build-tools/verify/parts"));
    }

    @Test
    void countsExitStatusesAndResultsAndEndsWithTheirSum() throws Exception {
        part("10-one", "10s", "true", "");
        part("20-two", "10s", """
                cp "$OUT"/../../../r.xml "$OUT"/TEST-r.xml""", "results = .weft/verify/two/out/TEST-*.xml");
        Files.writeString(root.resolve("r.xml"), """
                <testsuite name='s'><testcase name='a' time='2'/><testcase name='b'/>
                <testcase name='c'><skipped message='no such device'/></testcase></testsuite>""");

        // $OUT is .weft/verify/two/out
        Files.createDirectories(root.resolve(".weft/verify"));
        Files.move(root.resolve("r.xml"), root.resolve(".weft/r.xml"));

        assertThat(run(List.of(), false)).isTrue();
        assertThat(lines()).last().isEqualTo("3 passed, 0 failed, 1 skipped");
        assertThat(text()).contains("no such device").containsPattern("2[.]0 s +s[.]a");
    }

    @Test
    void showsTheLogOfAPartThatFailed() throws Exception {
        part("10-bad", "10s", "echo what went wrong; exit 3", "");
        part("20-good", "10s", "true", "");

        assertThat(run(List.of(), false)).isFalse();
        assertThat(lines()).last().isEqualTo("1 passed, 1 failed");
        assertThat(text()).contains("ended with status 3", ".weft/verify/bad/log.txt", "what went wrong");
    }

    @Test
    void prefersFailedTestsToTheExitStatusThatFollowsFromThem() throws Exception {
        part("10-bad", "10s", "cp failed.xml \"$OUT\"/TEST-x.xml; exit 1", "results = .weft/verify/bad/out/*.xml");
        Files.writeString(
                root.resolve("failed.xml"),
                "<testsuite name='s'><testcase name='a'><failure message='was 2'/></testcase></testsuite>");

        assertThat(run(List.of(), false)).isFalse();
        assertThat(lines()).last().isEqualTo("0 passed, 1 failed");
        assertThat(text()).contains("s.a", "was 2").doesNotContain("ended with status");
    }

    @Test
    void leavesOutWhatUsesTheProductsOfABrokenBuild() throws Exception {
        part("10-build", "10s", "echo no jar; exit 1", "");
        part("20-uses", "10s", "touch ran", "after = build");
        part("30-too", "10s", "touch ran", "after = other build");
        part("40-other", "10s", "true", "");

        assertThat(run(List.of(), false)).isFalse();
        assertThat(lines()).last().isEqualTo("1 passed, 1 failed, 2 not run");
        assertThat(text()).contains("Not run:", "not run: build failed", "uses: 20-uses", "too: 30-too");
        assertThat(root.resolve("ran")).doesNotExist();
    }

    @Test
    void usesTheProductsOfABuildThatWentOnAfterFailedTests() throws Exception {
        Files.writeString(
                root.resolve("failed.xml"),
                "<testsuite name='s'><testcase name='a'><failure message='was 2'/></testcase></testsuite>");
        part("10-build", "10s", "cp failed.xml \"$OUT\"/TEST-x.xml", "results = .weft/verify/build/out/*.xml");
        part("20-uses", "10s", "true", "after = build");

        assertThat(run(List.of(), false)).isFalse();
        assertThat(lines()).last().isEqualTo("1 passed, 1 failed");
    }

    @Test
    void runsAPartByNameWhateverItComesAfter() throws Exception {
        part("10-build", "10s", "false", "");
        part("20-uses", "10s", "true", "after = build");
        assertThat(run(List.of("--only", "uses"), false)).isTrue();
    }

    @Test
    void tellsOfAGoalThatFailedBesideATestThatDid() throws Exception {
        Files.writeString(
                root.resolve("failed.xml"),
                "<testsuite name='s'><testcase name='a'><failure message='was 2'/></testcase></testsuite>");
        Files.writeString(root.resolve("said"), """
                [ERROR] Failed to execute goal compiler: cannot access central in offline mode
                maven: something is missing in the local repository, going online
                [ERROR] There are test failures.
                [INFO] BUILD FAILURE
                [ERROR] Failed to execute goal compiler on project weft-cli: Compilation failure
                [ERROR] Main.java:[3,5] ';' expected
                """);
        part(
                "10-build",
                "10s",
                "cp failed.xml \"$OUT\"/TEST-x.xml; cat said; exit 1",
                "results = .weft/verify/build/out/*.xml");

        assertThat(run(List.of(), false)).isFalse();
        assertThat(lines()).last().isEqualTo("0 passed, 2 failed");
        assertThat(text()).contains("was 2", "';' expected").doesNotContain("offline mode", "There are test failures");
    }

    @Test
    void takesMissingResultsForAFailure() throws Exception {
        part("10-bad", "10s", "true", "results = nowhere/*.xml");
        assertThat(run(List.of(), false)).isFalse();
        assertThat(text()).contains("left no test results at nowhere/*.xml");
    }

    @Test
    void killsAPartWithItsChildrenWhenItsTimeIsUp() throws Exception {
        part("10-slow", "1s", "sleep 300 & echo $! >child; wait", "");
        assertThat(run(List.of(), false)).isFalse();
        assertThat(text()).contains("killed after", "its budget is 1.0 s");
        long child = Long.parseLong(Files.readString(root.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());
    }

    @Test
    void skipsWhatTheCallerDidNotGive() throws Exception {
        part("10-kernel", "10s", "touch ran", "given = PATH WEFT_VERIFY_TEST_NOT_SET");
        part("20-other", "10s", "true", "given = PATH");
        assertThat(run(List.of(), true)).isTrue();
        assertThat(lines()).last().isEqualTo("1 passed, 0 failed, 1 skipped");
        assertThat(text()).contains("not set: WEFT_VERIFY_TEST_NOT_SET");
        assertThat(root.resolve("ran")).doesNotExist();
    }

    @Test
    void skipsWhatLacksAPackageAndSaysHowToInstallIt() throws Exception {
        part("10-native", "10s", "true", "needs = " + PACKAGE);
        assertThat(run(List.of(), false)).isTrue();
        assertThat(lines()).last().isEqualTo("0 passed, 0 failed, 1 skipped");
        assertThat(text()).contains("sudo apt-get install -y --no-install-recommends " + PACKAGE);
    }

    @Test
    void runsWhatOnlyWantsAPackage() throws Exception {
        part("10-native", "10s", "true", "wants = " + PACKAGE);
        assertThat(run(List.of(), false)).isTrue();
        assertThat(lines()).last().isEqualTo("1 passed, 0 failed");
    }

    @Test
    void failsInCiForWantOfAPackage() throws Exception {
        part("10-native", "10s", "true", "needs = " + PACKAGE);
        part("20-layout", "10s", "true", "wants = " + PACKAGE);
        Options options = new Options(Size.DEFAULT, false, true, false, List.of());
        assertThat(run(options)).isFalse();
        assertThat(lines()).last().isEqualTo("1 passed, 2 failed");
    }

    @Test
    void selectsBySizeOrByName() throws Exception {
        part("10-a", "10s", "true", "");
        part("20-b", "10s", "true", "");
        Files.writeString(parts().resolve("20-b.part"), "\nsizes = full\n", StandardOpenOption.APPEND);
        List<Part> all = Part.readAll(parts());
        assertThat(Verify.select(all, Options.parse(List.of(), false)))
                .extracting(Part::name)
                .containsExactly("a");
        assertThat(Verify.select(all, Options.parse(List.of("--full"), false)))
                .extracting(Part::name)
                .containsExactly("b");
        assertThat(Verify.select(all, Options.parse(List.of("--only", "b"), false)))
                .extracting(Part::name)
                .containsExactly("b");
    }

    @Test
    void exitsWithTwoForBadUsageAndOneForAFailure() throws Exception {
        part("10-bad", "10s", "false", "");
        part("20-good", "10s", "true", "");
        assertThat(Verify.run(root, List.of("--quick"))).isEqualTo(2);
        assertThat(Verify.run(root, List.of("--only", "none"))).isEqualTo(2);
        assertThat(Verify.run(root, List.of("--only", "bad"))).isEqualTo(1);
        assertThat(Verify.run(root, List.of("--only", "good"))).isZero();
    }

    private boolean run(List<String> arguments, boolean ci) throws Exception {
        return run(Options.parse(arguments, ci));
    }

    private boolean run(Options options) throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new Verification(
                        options,
                        Verify.select(Part.readAll(parts()), options),
                        new PartRunner(root, root.resolve(".weft/verify")),
                        new Packages(new Shell(root, Map.of())),
                        root.resolve("packages.log"),
                        out)
                .run();
    }

    private void part(String name, String budget, String run, String more) throws IOException {
        Files.writeString(
                parts().resolve(name + ".part"),
                "title = " + name + "\nsizes = default\nbudget = " + budget + "\nrun = " + run + "\n" + more + "\n");
    }

    private Path parts() {
        return root.resolve("build-tools/verify/parts");
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private List<String> lines() {
        return text().lines().toList();
    }
}
