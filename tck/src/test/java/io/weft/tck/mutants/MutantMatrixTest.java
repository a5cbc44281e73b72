package io.weft.tck.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tck.report.Certificate;
import io.weft.tck.report.Results;
import io.weft.tck.report.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each rule finds the defect that was made for it, and says so in its own words. A rule's clocks grow with the load of the machine,
 * so the bound here is that of rules' tests and some room, and no clock of its own.
 */
@Timeout(400)
@Tag("long")
class MutantMatrixTest {
    static Stream<Mutant> mutants() {
        String only = System.getProperty("weft.tck.only", "");
        return new Mutants()
                .all().stream()
                        .filter(m -> only.isEmpty() || List.of(only.split(",")).contains(m.rule()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void theRuleKillsItsMutant(Mutant mutant) {
        Results results = MutantRun.of(List.of(mutant.rule()), Optional.of(mutant));
        assertThat(results.brokenText()).isEmpty();
        Certificate.RuleVerdict verdict = verdict(results, mutant.rule());
        System.out.printf(
                "%-8s %-45s %s%n",
                mutant.rule(), mutant.defect(), verdict.verdict().text());
        assertThat(verdict.verdict())
                .as("%s: %s", mutant.name(), verdict.reason())
                .isEqualTo(Verdict.FAILED);
        assertThat(results.cases().stream().map(Results.CaseResult::reason))
                .as("what %s said of: %s", mutant.rule(), mutant.defect())
                .anySatisfy(reason -> assertThat(reason).contains(mutant.message()));
    }

    @Test
    void noRuleThatHasATestIsWithoutAMutant() {
        Results all = MutantRun.of(List.of(), Optional.empty());
        List<String> tested =
                all.cases().stream().map(Results.CaseResult::rule).distinct().toList();
        assertThat(mutants().map(Mutant::rule)).containsAll(tested);
    }

    private static Certificate.RuleVerdict verdict(Results results, String rule) {
        return results.certificate().rules().stream()
                .filter(r -> r.rule().id().equals(rule))
                .findFirst()
                .orElseThrow();
    }
}
