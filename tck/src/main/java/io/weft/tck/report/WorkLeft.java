package io.weft.tck.report;

import io.weft.tck.report.Certificate.RuleVerdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is left to do on a backend, in the order of docs/backend-guide.md, so that forty rules that fail for one reason say it once.
 * Immutable.
 *
 * @param items the steps that are not done, the next one first
 */
public record WorkLeft(List<Item> items) {
    /**
     * A step that is not done.
     *
     * @param step the step
     * @param unwritten its methods that are not there yet
     * @param failed its rules that failed
     * @param untried its rules that were to be tried and were not
     */
    public record Item(Step step, List<Unwritten> unwritten, List<String> failed, List<String> untried) {
        /** What is said before {@link #untried}. */
        String untriedTitle() {
            return unwritten.isEmpty() ? "not tried yet: " : "then these rules can be tried: ";
        }
    }

    /** What is said before {@link Item#failed}. */
    static final String FAILED_TITLE = "failed, the first one first: ";

    /** Nothing. */
    public static final WorkLeft NONE = new WorkLeft(List.of());

    /** Copies. */
    public WorkLeft {
        items = List.copyOf(items);
    }

    /**
     * Puts methods and verdicts in order.
     *
     * @param unwritten methods that are not there yet
     * @param rules verdicts of the rules that were asked for
     */
    static WorkLeft of(List<Unwritten> unwritten, List<RuleVerdict> rules) {
        return new WorkLeft(Arrays.stream(Step.values())
                .map(step -> new Item(
                        step,
                        unwritten.stream().filter(u -> u.step() == step).toList(),
                        ids(step, rules, Verdict.FAILED),
                        ids(step, rules, Verdict.NOT_RUN)))
                .filter(item -> !item.unwritten.isEmpty() || !item.failed.isEmpty() || !item.untried.isEmpty())
                .toList());
    }

    private static List<String> ids(Step step, List<RuleVerdict> rules, Verdict verdict) {
        return rules.stream()
                .filter(r -> r.verdict() == verdict)
                .map(r -> r.rule().id())
                .filter(id -> Step.of(id) == step)
                .sorted(Step.ORDER)
                .toList();
    }

    /**
     * What has to be written next.
     *
     * @return the first method that is not there yet, empty if all are
     */
    public Optional<Unwritten> next() {
        return items.stream().flatMap(item -> item.unwritten.stream()).findFirst();
    }

    /**
     * The rule to begin with: the first that failed, in the order of the guide.
     *
     * @return its id, empty if none failed
     */
    public Optional<String> firstFailed() {
        return items.stream().flatMap(item -> item.failed.stream()).findFirst();
    }

    /**
     * How many rules failed.
     *
     * @return a count
     */
    public int failed() {
        return items.stream().mapToInt(item -> item.failed.size()).sum();
    }

    /**
     * For a console.
     *
     * @param backend the backend's name
     * @return lines
     */
    public String text(String backend) {
        StringBuilder text = new StringBuilder("What to do next on backend ")
                .append(backend)
                .append(", in the order of docs/backend-guide.md:");
        for (Item item : items) {
            text.append("\n  ").append(item.step.number()).append(". ").append(item.step.title());
            sentences(item).forEach(sentence -> text.append("\n       ").append(sentence));
        }
        return text.toString();
    }

    /**
     * What is said of a step.
     *
     * @param item the step
     * @return a sentence each
     */
    static List<String> sentences(Item item) {
        List<String> sentences = new ArrayList<>();
        for (Unwritten method : item.unwritten) {
            sentences.add("write " + method.method() + ": " + method.seen());
        }
        if (!item.failed.isEmpty()) {
            sentences.add(FAILED_TITLE + String.join(", ", item.failed));
        }
        if (!item.untried.isEmpty()) {
            sentences.add(item.untriedTitle() + String.join(", ", item.untried));
        }
        return sentences;
    }

    /** As certificates have it. */
    List<Map<String, Object>> asList() {
        List<Map<String, Object>> list = new ArrayList<>();
        for (Item item : items) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("step", item.step.number());
            map.put("title", item.step.title());
            map.put("work", item.step.work());
            map.put(
                    "unwritten",
                    item.unwritten.stream()
                            .map(u -> Map.of("method", u.method(), "seen", u.seen()))
                            .toList());
            map.put("makesPossible", item.step.rules());
            map.put("failed", item.failed);
            map.put("notTried", item.untried);
            list.add(map);
        }
        return list;
    }
}
