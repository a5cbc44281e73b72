package io.weft.tck.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.tck.Profile;
import io.weft.tck.TckConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an exclusion does to a verdict, and to the success of a run. */
@Timeout(10)
class ExclusionsTest {
    private static final String WHY = "https://example.com/12 firmware drops the last byte";

    @TempDir
    Path scratch;

    private Results results(String line, boolean holds) throws IOException {
        Path file = Files.writeString(scratch.resolve("exclusions"), "# known\n\n" + line + "\n");
        TckConfig config = new TckConfig(
                "acme",
                Map.of(),
                Optional.empty(),
                List.of("WR-2"),
                Profile.QUICK,
                Optional.empty(),
                Optional.of(file),
                1,
                1,
                Optional.empty());
        Results results = new Results(config);
        results.planned("WR-2", 1);
        results.add("WR-2", "wr2_test", "pair host->host", 1, holds ? null : new AssertionError("byte 7 is wrong"));
        return results;
    }

    private static Certificate.RuleVerdict verdict(Results results) {
        return results.certificate().rules().stream()
                .filter(rule -> rule.rule().id().equals("WR-2"))
                .findFirst()
                .orElseThrow();
    }

    private static LocalDate today() {
        return LocalDate.now(ZoneOffset.UTC);
    }

    @Test
    void aRuleThatFailsIsExcusedUpToItsDayAndTheFirstLineSaysSo() throws IOException {
        Results results = results("WR-2 " + today().plusDays(1) + " " + WHY, false);
        assertThat(verdict(results).verdict()).isEqualTo(Verdict.EXCLUDED);
        assertThat(verdict(results).reason()).contains("firmware drops", "example.com/12", "byte 7 is wrong");
        assertThat(results.shortcomings()).isEmpty();
        assertThat(results.certificate().statement()).contains("WITH EXCLUSIONS: WR-2");
    }

    @Test
    void pastItsDayTheRuleHasFailedAndTheTextSaysThatTheExclusionIsOver() throws IOException {
        LocalDate day = today().minusDays(1);
        Results results = results("WR-2 " + day + " " + WHY, false);
        assertThat(verdict(results).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(results.shortcomings())
                .singleElement()
                .asString()
                .contains(
                        "WR-2 failed",
                        "byte 7 is wrong",
                        "its exclusion has expired",
                        WHY.split(" ")[0],
                        "until " + day);
        assertThat(results.certificate().passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1", "-1"})
    void anExcludedRuleThatPassesIsAnErrorAlsoPastItsDay(int days) throws IOException {
        Results results = results("WR-2 " + today().plusDays(days) + " " + WHY, true);
        assertThat(verdict(results).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(results.shortcomings())
                .singleElement()
                .asString()
                .contains("excluded, but it passes: remove its exclusion", "firmware drops");
    }

    @Test
    void anExclusionOfAnotherRuleExcusesNothing() throws IOException {
        Results results = results("WR-3 " + today().plusDays(1) + " " + WHY, false);
        assertThat(verdict(results).verdict()).isEqualTo(Verdict.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "WR-2 2999-01-01 no-reason,       must be RULE EXPIRY ISSUE REASON",
        "WR-2 soon https://x.example why, must be a date such as 2027-01-31",
        "WR-99 2999-01-01 issue why,      the contract has no rule WR-99",
    })
    void aLineThatCannotBeReadIsNamed(String line, String says) throws IOException {
        Results results = results(line, false);
        assertThatThrownBy(results::certificate)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("exclusions, line 3", says);
    }
}
