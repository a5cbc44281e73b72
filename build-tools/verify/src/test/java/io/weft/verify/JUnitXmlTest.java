package io.weft.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class JUnitXmlTest {

    private static final String SUITE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="a.FooTest" tests="5" errors="1" skipped="2" failures="1">
              <properties><property name="x" value="y"/></properties>
              <testcase name="works" classname="a.FooTest" time="1,234.5"><system-out><![CDATA[<failure/>]]></system-out></testcase>
              <testcase name="fails" classname="a.FooTest" time="0.25">
                <failure message="expected: 1 but was: 2" type="X">stack</failure>
                <failure message="again">stack</failure>
              </testcase>
              <testcase name="throws" classname="a.FooTest" time="0.1"><error type="NPE">NPE at line 7</error></testcase>
              <testcase name="aborted" classname="a.FooTest" time="0"><skipped message="needs gcc" type="T"/></testcase>
              <testcase name="disabled" time="0"><skipped/></testcase>
            </testsuite>
            """;

    @TempDir
    private Path directory;

    @Test
    void tellsHowEachTestEnded() throws IOException {
        assertThat(JUnitXml.read(write("TEST-a.xml", SUITE)))
                .containsExactly(
                        Check.passed("a.FooTest.works", Duration.ofMillis(1_234_500)),
                        Check.failed("a.FooTest.fails", "expected: 1 but was: 2", Duration.ofMillis(250)),
                        Check.failed("a.FooTest.throws", "NPE at line 7", Duration.ofMillis(100)),
                        Check.skipped("a.FooTest.aborted", "needs gcc"),
                        Check.skipped("a.FooTest.disabled", "no reason given"));
    }

    @Test
    void readsSuitesWithinSuites() throws IOException {
        Path file = write(
                "TEST-b.xml", "<testsuites><testsuite name='s'><testcase name='t' time='x'/></testsuite></testsuites>");
        assertThat(JUnitXml.read(file)).containsExactly(Check.passed("s.t", Duration.ZERO));
    }

    @Test
    void takesADamagedFileForAFailure() throws IOException {
        List<Check> checks = JUnitXml.read(write("TEST-c.xml", SUITE.substring(0, SUITE.indexOf("</testsuite>"))));
        assertThat(checks).hasSize(6).last().satisfies(check -> {
            assertThat(check.outcome()).isEqualTo(Check.Outcome.FAILED);
            assertThat(check.message()).contains("damaged");
        });
    }

    @Test
    void countsOnlyWhatThisRunWrote() throws IOException {
        Path old = write("core/target/surefire-reports/TEST-old.xml", SUITE);
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(60)));
        write("core/target/surefire-reports/TEST-new.xml", "<testsuite name='s'><testcase name='t'/></testsuite>");
        write("core/target/surefire-reports/other.xml", SUITE);

        List<Check> checks = JUnitXml.readAll(
                directory,
                List.of("{*,build-tools/*}/target/{surefire,failsafe}-reports/TEST-*.xml"),
                Instant.now().minusSeconds(30));

        assertThat(checks).extracting(Check::name).containsExactly("s.t");
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
