package io.weft.tck.report;

import io.weft.tck.TckConfig;
import io.weft.tck.contract.Contract;
import io.weft.tck.contract.Rule;
import io.weft.tck.harness.Facts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** What happened in a run, case by case. Safe from any thread. */
public final class Results {
    /**
     * How one case went.
     *
     * @param rule the rule's id
     * @param method the test
     * @param permutation the case
     * @param nanos how long it took
     * @param thrown what the test threw, null if the rule held
     */
    public record CaseResult(
            String rule,
            String method,
            String permutation,
            long nanos,
            @Nullable Throwable thrown) {
        /**
         * Whether the test found that it does not apply.
         *
         * @return true if it was aborted
         */
        public boolean aborted() {
            return thrown instanceof TestAbortedException;
        }

        /**
         * Whether the rule did not hold.
         *
         * @return true if so
         */
        public boolean failed() {
            return thrown != null && !aborted();
        }

        /**
         * Why it failed or was aborted.
         *
         * @return a short text, empty if the rule held
         */
        public String reason() {
            return switch (thrown) {
                case null -> "";
                case RuleFailure failure -> failure.seen();
                case Throwable other -> Objects.requireNonNullElse(other.getMessage(), other.toString());
            };
        }
    }

    private final TckConfig config;
    private final Contract contract = Contract.load();
    private final List<CaseResult> cases = new ArrayList<>();
    private final Map<String, Integer> planned = new LinkedHashMap<>();
    private @Nullable Facts facts;
    private @Nullable Throwable broken;
    private long leftoverProcesses;
    private boolean cutShort;
    private List<Unwritten> unwritten = List.of();
    private boolean looked;
    private boolean toldBroken;

    /**
     * Starts empty.
     *
     * @param config what is run
     */
    public Results(TckConfig config) {
        this.config = config;
    }

    /**
     * The configuration.
     *
     * @return what is run
     */
    public TckConfig config() {
        return config;
    }

    /**
     * Remembers what the backend says of itself.
     *
     * @param known the facts
     */
    public synchronized void facts(Facts known) {
        facts = known;
    }

    /**
     * Remembers that no rule can be tried.
     *
     * @param why what does not work
     */
    public synchronized void broken(Throwable why) {
        broken = why;
    }

    /**
     * Looks for parts of the backend that are not there yet, unless that was done before.
     *
     * @param look finds them; may take seconds
     */
    public void unwrittenOnce(Supplier<List<Unwritten>> look) {
        synchronized (this) {
            if (looked) {
                return;
            }
            looked = true;
        }
        List<Unwritten> parts = List.copyOf(look.get());
        synchronized (this) {
            unwritten = parts;
        }
    }

    /**
     * What the first test that cannot be tried has to tell, so that the others need not repeat it.
     *
     * @return what stands in the way of every rule; empty when it was told before
     */
    public synchronized Optional<String> standsStill() {
        if (toldBroken) {
            return Optional.empty();
        }
        toldBroken = true;
        return Optional.of(String.join("\n", shortcomings()));
    }

    /**
     * Why a rule cannot hold yet, so that trying it says nothing new. Rules that were asked for by name are always tried.
     *
     * @param rule the rule's id
     * @return what it waits for, empty if it is to be tried
     */
    public synchronized Optional<String> waitsFor(String rule) {
        return config.rules().isEmpty() ? waiting(rule) : Optional.empty();
    }

    /**
     * What has to be written before a rule that failed can say anything. Empty for rules that were asked for by name.
     *
     * @param rule the rule's id
     * @return a sentence or two for its author
     */
    public synchronized Optional<String> toWriteFirst(String rule) {
        return waitsFor(rule).map(reason -> {
            Unwritten part = unwritten.getFirst();
            return "not tried, " + reason + ". Write " + part.method() + " next: " + part.seen()
                    + ". The rules of this step and of later ones are tried once it is there.";
        });
    }

    private Optional<String> waiting(String rule) {
        return unwritten.stream()
                .findFirst()
                .filter(part -> Step.of(rule).compareTo(part.step()) >= 0)
                .map(part -> "it stands on step " + part.step().number() + ", "
                        + part.step().title() + ": " + part.method() + " is not written yet");
    }

    /**
     * Why no rule can be tried.
     *
     * @return a text, empty if the harness works
     */
    public synchronized String brokenText() {
        return switch (broken) {
            case null -> "";
            case LinkageError missing -> missing.toString(); // its message is no more than a name
            case Throwable other -> Objects.requireNonNullElse(other.getMessage(), other.toString());
        };
    }

    /**
     * Whether a rule is to be tried.
     *
     * @param rule the rule's id
     * @return true if it was named or none was
     */
    public boolean isSelected(String rule) {
        return config.rules().isEmpty() || config.rules().contains(rule);
    }

    /**
     * Remembers that the kit has a test for a rule.
     *
     * @param rule the rule's id
     * @param count cases that apply to the backend
     */
    public synchronized void planned(String rule, int count) {
        contract.rule(rule);
        planned.merge(rule, count, Integer::sum);
    }

    /**
     * Adds a case.
     *
     * @param rule the rule's id
     * @param method the test
     * @param permutation the case
     * @param nanos how long it took
     * @param thrown what the test threw, null if the rule held
     */
    public synchronized void add(
            String rule, String method, String permutation, long nanos, @Nullable Throwable thrown) {
        if (cutShort) {
            return; // it may have failed for that only
        }
        cases.add(new CaseResult(rule, method, permutation, nanos, thrown));
    }

    /**
     * Ends the run.
     *
     * @param leftover processes that the kit started and that have not ended
     */
    public synchronized void finished(long leftover) {
        leftoverProcesses = leftover;
    }

    /** Remembers that the process is being ended before every rule was tried; what comes later does not count. */
    public synchronized void cutShort() {
        cutShort = true;
    }

    /**
     * All cases.
     *
     * @return in the order they were tried
     */
    public synchronized List<CaseResult> cases() {
        return List.copyOf(cases);
    }

    /**
     * What the run says.
     *
     * @return the certificate
     */
    public synchronized Certificate certificate() {
        Exclusions exclusions = Exclusions.NONE;
        try {
            if (config.exclusions().isPresent()) {
                exclusions = Exclusions.read(config.exclusions().get());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        Judge judge = new Judge(config, facts, exclusions);
        List<Certificate.RuleVerdict> verdicts = new ArrayList<>();
        for (Rule rule : contract.rules()) {
            List<CaseResult> own =
                    cases.stream().filter(c -> c.rule().equals(rule.id())).toList();
            Integer count = planned.get(rule.id());
            String untried = broken != null ? noRule() : waitsFor(rule.id()).orElse("");
            verdicts.add(judge.judge(rule, own, count == null && cutShort ? Integer.valueOf(1) : count, untried));
        }
        WorkLeft left = WorkLeft.NONE;
        if (broken == null || !unwritten.isEmpty()) {
            left = WorkLeft.of(
                    unwritten,
                    verdicts.stream().filter(v -> isSelected(v.rule().id())).toList());
        }
        return Certificate.of(config, facts, verdicts, notes(), left);
    }

    /** A backend that is half written is no defect of the kit. */
    private String noRule() {
        return (unwritten.isEmpty() ? "the harness does not work: " : "no rule can be tried yet: ") + brokenText();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (leftoverProcesses > 0) {
            notes.add(leftoverProcesses + " target processes were left over");
        }
        if (cutShort) {
            notes.add("the run was ended from outside before every rule was tried");
        }
        if (broken != null) {
            notes.add(noRule());
        }
        return notes;
    }

    /**
     * What stands in the way of success. With rules selected only those count, since the others were not asked for.
     *
     * @return a text each, with all that is known of a rule's first case that failed; of a backend that is half written, what to
     *     write next and the first rule that failed; empty if the run succeeded
     */
    public synchronized List<String> shortcomings() {
        Certificate certificate = certificate();
        WorkLeft left = certificate.workLeft();
        List<String> texts = new ArrayList<>();
        if (left.next().isPresent() || left.failed() > 1) {
            texts.add(left.text(config.backend()));
        }
        texts.addAll(notes());
        if (broken != null) {
            return texts; // every rule would only say so again
        }
        Optional<String> only = left.next().flatMap(unfinished -> left.firstFailed());
        List<String> folded = new ArrayList<>();
        boolean promiseTold = false;
        for (Certificate.RuleVerdict rule : inOrderOfWork(certificate)) {
            String id = rule.rule().id();
            if (isSelected(id) && rule.isMissing() && (left.next().isEmpty() || only.equals(Optional.of(id)))) {
                Optional<RuleFailure> failure = firstFailure(id);
                boolean promise = failure.filter(RuleFailure::isBrokenPromise).isPresent();
                if (promise && promiseTold) {
                    folded.add(id);
                    continue;
                }
                promiseTold |= promise;
                texts.add(id + " " + rule.verdict().text() + ": "
                        + failure.map(first -> String.valueOf(first.getMessage()))
                                .orElse(rule.reason()));
            }
        }
        if (!folded.isEmpty()) {
            texts.add(folded.size()
                    + " more rules failed since promises between core and backend were broken, told in the"
                    + " report: " + String.join(", ", folded) + ". Mend the first one and run the kit again.");
        }
        return texts;
    }

    private static List<Certificate.RuleVerdict> inOrderOfWork(Certificate certificate) {
        return certificate.rules().stream()
                .sorted(Comparator.comparing(verdict -> verdict.rule().id(), Step.ORDER))
                .toList();
    }

    private Optional<RuleFailure> firstFailure(String rule) {
        return cases.stream()
                .filter(c -> c.rule().equals(rule))
                .map(CaseResult::thrown)
                .filter(RuleFailure.class::isInstance)
                .map(RuleFailure.class::cast)
                .findFirst();
    }

    /** Writes certificate, page and JUnit's XML, if a directory was named. */
    public void write() {
        config.report().ifPresent(directory -> {
            try {
                write(directory);
            } catch (IOException failed) {
                throw new UncheckedIOException("the report could not be written to " + directory, failed);
            }
        });
    }

    private void write(Path directory) throws IOException {
        Certificate certificate = certificate();
        certificate.write(directory.resolve("certificate.json"));
        HtmlPage.write(directory.resolve("index.html"), certificate, cases());
        JUnitXml.write(directory.resolve("TEST-weft-tck.xml"), certificate, cases());
    }
}
