package io.weft.tck.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tck.report.Results;
import io.weft.tck.report.Results.CaseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every rule against every mutant: which rules other than the one that must find it a defect breaks as well. Takes well over an hour, so
 * {@code verify --full} runs it and no other; a row is written to the page as soon as it is known, to {@code weft.mutants.page}.
 */
class WholeMatrix {
    private static final Path PAGE = Path.of(System.getProperty("weft.mutants.page", "target/mutants.md"));

    static Stream<Optional<Mutant>> mutants() {
        return Stream.concat(
                Stream.of(Optional.empty()), MutantMatrixTest.mutants().map(Optional::of));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    @Timeout(1800)
    void everyRuleAgainst(Optional<Mutant> mutant) throws IOException {
        long begun = System.nanoTime();
        Results results = MutantRun.of(rules(mutant), mutant);
        long seconds = (System.nanoTime() - begun) / 1_000_000_000;
        assertThat(results.brokenText()).isEmpty();
        List<String> failed = results.cases().stream()
                .filter(CaseResult::failed)
                .map(CaseResult::rule)
                .distinct()
                .sorted()
                .toList();
        long rules = results.cases().stream().map(CaseResult::rule).distinct().count();
        write(mutant, failed, rules, results.cases().size(), seconds);
        if (mutant.isEmpty()) {
            assertThat(failed).as("rules that fail without any defect").isEmpty();
        } else {
            assertThat(failed)
                    .as("rules that find: %s", mutant.get().defect())
                    .contains(mutant.get().rule());
        }
    }

    /** A CPU that touches device memory ends the process, so that only the rule with a process of its own can be tried. */
    private static List<String> rules(Optional<Mutant> mutant) {
        return mutant.map(Mutant::rule).filter("DEV-4"::equals).stream().toList();
    }

    private static void write(Optional<Mutant> mutant, List<String> failed, long rules, int cases, long seconds)
            throws IOException {
        if (mutant.isEmpty()) {
            Files.createDirectories(PAGE.toAbsolutePath().getParent());
            Files.writeString(
                    PAGE,
                    "| Rule | Defect | Found by it | Also by | Rules, cases | Seconds |\n|---|---|---|---|---|---|\n");
        }
        String rule = mutant.map(Mutant::rule).orElse("");
        String others = failed.stream().filter(id -> !id.equals(rule)).collect(Collectors.joining(" "));
        String found = mutant.isEmpty() ? "" : failed.contains(rule) ? "yes" : "NO";
        Files.writeString(
                PAGE,
                String.format(
                        "| %s | %s | %s | %s | %d, %d | %d |%n",
                        rule, mutant.map(Mutant::defect).orElse("none"), found, others, rules, cases, seconds),
                StandardOpenOption.APPEND);
    }
}
