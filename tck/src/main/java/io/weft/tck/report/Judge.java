package io.weft.tck.report;

import io.weft.spi.Capabilities;
import io.weft.tck.TckConfig;
import io.weft.tck.contract.Level;
import io.weft.tck.contract.Rule;
import io.weft.tck.harness.Facts;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the cases of a rule into a verdict. */
final class Judge {
    private final TckConfig config;
    private final @Nullable Facts facts;
    private final Exclusions exclusions;

    Judge(TckConfig config, @Nullable Facts facts, Exclusions exclusions) {
        this.config = config;
        this.facts = facts;
        this.exclusions = exclusions;
    }

    /**
     * Judges.
     *
     * @param rule the rule
     * @param cases its cases
     * @param planned cases that were to be tried, null if the kit has no test for it or it was not selected
     * @param untried why it could not be tried, empty if it could
     */
    Certificate.RuleVerdict judge(
            Rule rule, List<Results.CaseResult> cases, @Nullable Integer planned, String untried) {
        double seconds = cases.stream().mapToLong(Results.CaseResult::nanos).sum() / 1e9;
        Found found = look(rule, cases, planned, untried);
        return new Certificate.RuleVerdict(rule, found.verdict, cases.size(), seconds, found.reason);
    }

    private record Found(Verdict verdict, String reason) {}

    private Found look(Rule rule, List<Results.CaseResult> cases, @Nullable Integer planned, String untried) {
        if (!config.rules().isEmpty() && !config.rules().contains(rule.id())) {
            return new Found(Verdict.NOT_RUN, "not among the selected rules");
        }
        if (rule.level().kind() == Level.Kind.UNTESTABLE) {
            return new Found(Verdict.UNTESTABLE, rule.level().detail());
        }
        if (rule.level().kind() == Level.Kind.CAP && !isDeclared(rule.level().detail())) {
            return new Found(
                    Verdict.NOT_APPLICABLE,
                    "the backend does not declare " + rule.level().detail());
        }
        if (!untried.isEmpty() && cases.stream().noneMatch(Results.CaseResult::failed)) {
            return new Found(Verdict.NOT_RUN, untried);
        }
        Found plain = lookAtCases(cases, planned);
        Optional<Exclusions.Exclusion> exclusion = exclusions.of(rule.id());
        if (exclusion.isEmpty()) {
            return plain;
        }
        if (plain.verdict == Verdict.PASSED) {
            return new Found(Verdict.FAILED, "excluded, but it passes: remove its exclusion, " + exclusion.get());
        }
        if (exclusion.get().expires().isBefore(LocalDate.now(ZoneOffset.UTC))) {
            return new Found(plain.verdict, plain.reason + "; its exclusion has expired: " + exclusion.get());
        }
        return plain.verdict == Verdict.FAILED
                ? new Found(Verdict.EXCLUDED, exclusion.get() + "; seen: " + plain.reason)
                : plain;
    }

    private static Found lookAtCases(List<Results.CaseResult> cases, @Nullable Integer planned) {
        Optional<Results.CaseResult> failed =
                cases.stream().filter(Results.CaseResult::failed).findFirst();
        if (failed.isPresent()) {
            long all = cases.stream().filter(Results.CaseResult::failed).count();
            return new Found(
                    Verdict.FAILED,
                    failed.get().permutation() + ": " + failed.get().reason()
                            + (all > 1 ? " (and " + (all - 1) + " more cases)" : ""));
        }
        if (planned == null) {
            return new Found(Verdict.NOT_RUN, "the kit has no test for it");
        }
        if (planned == 0) {
            return new Found(Verdict.NOT_APPLICABLE, "no case of it can be tried with what the backend declares");
        }
        if (cases.size() < planned) {
            return new Found(Verdict.NOT_RUN, (planned - cases.size()) + " of " + planned + " cases were not tried");
        }
        if (cases.stream().allMatch(Results.CaseResult::aborted)) {
            return new Found(Verdict.NOT_APPLICABLE, cases.getFirst().reason());
        }
        return new Found(Verdict.PASSED, "");
    }

    private boolean isDeclared(String capability) {
        if (facts == null) {
            return false;
        }
        return switch (capability) {
            case "device memory" ->
                facts.pairs().stream()
                        .anyMatch(
                                pair -> !pair.local().isHost() || !pair.remote().isHost());
            case "enforcement=TARGET" -> facts.capabilities().enforcement() == Capabilities.Enforcement.TARGET;
            default ->
                throw new IllegalStateException("the contract names capability '" + capability
                        + "', which the kit does not know how to look up");
        };
    }
}
