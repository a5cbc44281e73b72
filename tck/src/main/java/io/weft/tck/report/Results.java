package io.weft.tck.report;

import io.weft.tck.TckConfig;
import io.weft.tck.contract.Contract;
import io.weft.tck.contract.Rule;
import io.weft.tck.harness.Facts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
            verdicts.add(judge.judge(rule, own, count == null && cutShort ? Integer.valueOf(1) : count, brokenText()));
        }
        return Certificate.of(config, facts, verdicts, notes());
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
            notes.add("the harness does not work: " + brokenText());
        }
        return notes;
    }

    /**
     * What stands in the way of success. With rules selected only those count, since the others were not asked for.
     *
     * @return a text each, with all that is known of a rule's first case that failed; empty if the run succeeded
     */
    public synchronized List<String> shortcomings() {
        List<String> texts = notes();
        if (broken != null) {
            return texts; // every rule would only say so again
        }
        for (Certificate.RuleVerdict rule : certificate().rules()) {
            String id = rule.rule().id();
            if (isSelected(id) && rule.isMissing()) {
                texts.add(id + " " + rule.verdict().text() + ": "
                        + cases.stream()
                                .filter(c -> c.rule().equals(id))
                                .map(CaseResult::thrown)
                                .filter(RuleFailure.class::isInstance)
                                .map(Throwable::getMessage)
                                .findFirst()
                                .orElse(rule.reason()));
            }
        }
        return texts;
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
