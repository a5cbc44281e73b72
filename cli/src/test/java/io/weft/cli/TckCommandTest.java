package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TckCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int weft(String... args) {
        return Main.run(ConfigurationSources.none(Path.of("none")), new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void aSelectedRuleThatPassesGivesExitCodeZeroAndACertificate(@TempDir Path directory) throws IOException {
        Path report = directory.resolve("report");
        int exit = weft(
                "tck",
                "--backend",
                "mem",
                "--rules",
                "WR-4,RD-4",
                "--profile",
                "quick",
                "--seed",
                "7",
                "--report",
                report.toString());
        assertThat(exit).as("%s%s", out, err).isZero();
        String certificate = Files.readString(report.resolve("certificate.json"));
        assertThat(certificate.lines().findFirst().orElseThrow()).contains("PARTIAL");
        assertThat(certificate)
                .contains("\"rules\" : [", "\"seed\" : 7", "\"profile\" : \"quick\"", "\"provider\" : \"mem\"");
        assertThat(report.resolve("index.html")).content().contains("id=\"WR-4\"", "class=\"passed\"");
        assertThat(report.resolve("TEST-weft-tck.xml")).content().contains("classname=\"weft.tck.WR-4\"");
    }

    @Test
    void anExcludedRuleThatPassesIsAnError(@TempDir Path directory) throws IOException {
        Path exclusions = Files.writeString(
                directory.resolve("excluded"), "# known\nWR-4 2999-01-01 https://example.com/1 not yet there\n");
        int exit = weft(
                "tck",
                "--backend",
                "mem",
                "--rules",
                "WR-4",
                "--profile",
                "quick",
                "--exclusions",
                exclusions.toString(),
                "--report",
                directory.resolve("report").toString());
        assertThat(exit).isEqualTo(1);
        assertThat(directory.resolve("report/certificate.json")).content().contains("excluded, but it passes");
    }

    @Test
    void whatCannotBeRunIsBadUsage(@TempDir Path directory) {
        assertThat(weft("tck", "--backend", "nosuch", "--report", directory.toString()))
                .isEqualTo(2);
        assertThat(weft("tck", "--backend", "mem", "--rules", "WR-99", "--report", directory.toString()))
                .isEqualTo(2);
        assertThat(weft("tck", "--backend", "mem")).isEqualTo(2);
        assertThat(err.toString()).contains("weft backends lists them", "the contract has no such rule");
    }

    @Test
    void diffFailsOnALostRule(@TempDir Path directory) throws IOException {
        Path a = Files.writeString(directory.resolve("a.json"), certificate("passed", "failed"));
        Path b = Files.writeString(directory.resolve("b.json"), certificate("failed", "passed"));
        assertThat(weft("tck", "diff", a.toString(), b.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("lost    WR-1: passed -> failed", "changed WR-2: failed -> passed", "1 rules lost");
        assertThat(weft("tck", "diff", a.toString(), a.toString())).isZero();
    }

    @Test
    void aRuleThatTheNewerCertificateDoesNotHaveIsLost(@TempDir Path directory) throws IOException {
        Path older = Files.writeString(directory.resolve("older.json"), certificate("passed", "passed"));
        Path newer = Files.writeString(
                directory.resolve("newer.json"),
                "{\"rules\":[{\"id\":\"WR-1\",\"verdict\":\"passed\"},{\"id\":\"RD-1\",\"verdict\":\"passed\"}]}");
        assertThat(weft("tck", "diff", older.toString(), newer.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("lost    WR-2: passed -> not there", "new     RD-1: passed", "1 rules lost")
                .doesNotContain("WR-1");
        assertThat(weft("tck", "diff", newer.toString(), older.toString()))
                .as("RD-1 is lost the other way round")
                .isEqualTo(1);
    }

    @Test
    void onlyARuleThatPassedCanBeLost(@TempDir Path directory) throws IOException {
        Path older = Files.writeString(directory.resolve("older.json"), certificate("passed", "failed"));
        Path newer = Files.writeString(
                directory.resolve("newer.json"), "{\"rules\":[{\"id\":\"WR-1\",\"verdict\":\"passed\"}]}");
        assertThat(weft("tck", "diff", older.toString(), newer.toString())).isZero();
        assertThat(out.toString()).contains("changed WR-2: failed -> not there", "0 rules lost");
    }

    @Test
    void theMatrixInDocsIsWhatItsCertificatesSay(@TempDir Path scratch) throws IOException {
        Path docs = Path.of("..", "docs");
        Path certificates = Files.createDirectories(scratch.resolve("evidence/certificates"));
        Path page = scratch.resolve("support-matrix.md");
        List<String> args = new ArrayList<>(List.of("tck", "matrix", "--page", page.toString()));
        try (Stream<Path> files = Files.list(docs.resolve("evidence/certificates"))) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                Path copy = certificates.resolve(file.getFileName());
                assertThat(Files.copy(file, copy)).content().doesNotContainPattern("\"source\" : \"[^\"]*/");
                args.add(copy.toString());
            }
        }
        assertThat(weft(args.toArray(String[]::new))).as("%s", err).isZero();
        assertThat(docs.resolve("support-matrix.md"))
                .as("./weft tck matrix --page docs/support-matrix.md docs/evidence/certificates/*.json")
                .hasSameTextualContentAs(page);
    }

    @Test
    void aMatrixOfNoSuchFileIsBadUsage(@TempDir Path scratch) {
        assertThat(weft("tck", "matrix", scratch.resolve("none.json").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("none.json: no such file can be read");
    }

    private static String certificate(String first, String second) {
        return "{\"rules\":[{\"id\":\"WR-1\",\"verdict\":\"" + first + "\"},{\"id\":\"WR-2\",\"verdict\":\"" + second
                + "\"}]}";
    }
}
