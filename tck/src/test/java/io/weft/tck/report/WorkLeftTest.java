package io.weft.tck.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.tck.Profile;
import io.weft.tck.Tck;
import io.weft.tck.TckConfig;
import io.weft.tck.contract.Contract;
import io.weft.tck.report.Certificate.RuleVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WorkLeftTest {
    @Test
    void aStepComesBeforeALaterOneWhateverTheContractsOrderIs() {
        WorkLeft left = WorkLeft.of(
                List.of(new Unwritten(Step.FENCES, "Link.fence", "it threw")),
                List.of(
                        verdict("ERR-3", Verdict.FAILED),
                        verdict("REG-1", Verdict.PASSED),
                        verdict("REG-4", Verdict.NOT_RUN),
                        verdict("WR-1", Verdict.FAILED)));
        assertThat(left.firstFailed()).contains("WR-1");
        assertThat(left.next()).map(Unwritten::method).contains("Link.fence");
        assertThat(left.text("acme").lines())
                .containsExactly(
                        "What to do next on backend acme, in the order of docs/backend-guide.md:",
                        "  5. links",
                        "       failed, the first one first: WR-1",
                        "  6. fences",
                        "       write Link.fence: it threw",
                        "       then these rules can be tried: REG-4",
                        "  7. trouble",
                        "       failed, the first one first: ERR-3");
    }

    @Test
    void everyRuleHasAStepAndTheGuideHasTheSameTable() throws IOException {
        List<String> table = Files.readAllLines(Path.of("..", "docs", "backend-guide.md")).stream()
                .filter(line -> line.matches("\\| \\d \\| .*"))
                .toList();
        assertThat(table)
                .containsExactlyElementsOf(Arrays.stream(Step.values())
                        .map(s -> "| " + s.number() + " | " + s.title() + " | " + s.work() + " | "
                                + (s.names().isEmpty() ? "none" : String.join(", ", s.names())) + " |")
                        .toList());
        List<String> all = new ArrayList<>();
        for (Step step : Step.values()) {
            assertThat(Contract.load().select(step.names())).containsAll(step.rules());
            all.addAll(step.rules());
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        Contract.load().rules().stream().map(r -> r.id()).toList());
    }

    @Test
    void withoutRegisterNoRuleIsTriedAndTheReportBeginsWithWhatToWrite(@TempDir Path directory) throws IOException {
        Results results = run("register|connect", directory);
        results.write();
        Certificate certificate = results.certificate();
        assertThat(certificate.statement())
                .startsWith("half: UNFINISHED: next is step 4, memory, with Backend.register;");
        assertThat(certificate.rules()).noneMatch(rule -> rule.verdict() == Verdict.FAILED);
        assertThat(results.shortcomings().getFirst())
                .containsSubsequence("write Backend.register: ", "write Backend.connect: ", "WR-1");
        assertThat(directory.resolve("certificate.json"))
                .content()
                .containsSubsequence("UNFINISHED", "\"workLeft\"", "\"step\" : 4", "\"provider\"");
        assertThat(directory.resolve("index.html"))
                .content()
                .doesNotContain("harness does not work")
                .containsSubsequence("</h1>", "What to do next", "Backend.register", "Backend.connect", "<h2>ERR");
    }

    @Test
    void proofInATestSaysFirstWhatToWrite() {
        assertThatThrownBy(
                        () -> Tck.prove(Map.of(TckConfig.BACKEND, "half", TckConfig.OPTIONS, "without=capabilities")))
                .isInstanceOf(AssertionError.class)
                .message()
                .containsSubsequence("UNFINISHED", "What to do next", "write Backend.capabilities");
    }

    /** Takes the quick profile of the rules that need no link: about 10 s. */
    @Test
    @Tag("long")
    void withoutConnectOnlyTheRulesBeforeItAreTriedAndNoneFails(@TempDir Path directory) {
        Results results = run("connect", directory);
        Certificate certificate = results.certificate();
        assertThat(certificate.rules())
                .filteredOn(rule -> Step.of(rule.rule().id()).compareTo(Step.LINKS) < 0)
                .allSatisfy(rule -> assertThat(rule.verdict()).isEqualTo(Verdict.PASSED));
        assertThat(certificate.rules()).noneMatch(rule -> rule.verdict() == Verdict.FAILED);
        assertThat(certificate.passed()).isFalse();
        assertThat(results.shortcomings())
                .singleElement()
                .asString()
                .contains("5. links", "write Backend.connect: it threw", "connect is for tomorrow")
                .doesNotContain("failed, ");
        assertThat(verdictOf("WR-1", certificate).reason())
                .isEqualTo("it stands on step 5, links: Backend.connect is not written yet");
    }

    /** Takes the quick profile of the rules that need no fence: about 10 s. */
    @Test
    @Tag("long")
    void withoutFencesEveryRuleOfBytesCanBePassed(@TempDir Path directory) {
        Results results = run("fence|fencePeer", directory);
        Certificate certificate = results.certificate();
        assertThat(certificate.rules())
                .filteredOn(rule -> Step.of(rule.rule().id()).compareTo(Step.FENCES) < 0)
                .allSatisfy(rule -> assertThat(rule.verdict()).isEqualTo(Verdict.PASSED));
    }

    private static Results run(String without, Path directory) {
        return Tck.run(new TckConfig(
                "half",
                Map.of("without", without),
                Optional.empty(),
                List.of(),
                Profile.QUICK,
                Optional.of(directory),
                Optional.empty(),
                1,
                1,
                Optional.empty()));
    }

    private static RuleVerdict verdictOf(String id, Certificate certificate) {
        return certificate.rules().stream()
                .filter(rule -> rule.rule().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static RuleVerdict verdict(String id, Verdict verdict) {
        return new RuleVerdict(Contract.load().rule(id), verdict, 1, 0, "");
    }
}
