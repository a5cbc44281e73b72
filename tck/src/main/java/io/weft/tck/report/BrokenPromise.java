package io.weft.tck.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A promise of the SPI was broken while a rule was tried. Any rule finds it, so what it says is about the promise. */
public final class BrokenPromise extends AssertionError {
    /** What to check first, whatever the rule. */
    static final List<String> HINTS =
            List.of("the promise itself, not this rule: docs/backend-guide.md, Obligations, has it;"
                    + " it fails every rule that is tried while it is broken");

    private static final long serialVersionUID = 1L;
    private static final int KINDS = 5;

    /**
     * Creates it.
     *
     * @param violations what was seen, not empty
     */
    public BrokenPromise(List<String> violations) {
        super("while the rule was tried, a promise between core and backend was broken: " + kinds(violations));
    }

    /** Texts that differ in numbers only are told once, with how often. */
    static String kinds(List<String> violations) {
        Map<String, String> first = new LinkedHashMap<>();
        Map<String, Integer> times = new LinkedHashMap<>();
        for (String text : violations) {
            String kind = text.replaceAll("\\d+", "#");
            first.putIfAbsent(kind, text);
            times.merge(kind, 1, Integer::sum);
        }
        return String.join(
                "; ",
                first.entrySet().stream()
                        .limit(KINDS)
                        .map(e -> e.getValue()
                                + (times.getOrDefault(e.getKey(), 1) == 1
                                        ? ""
                                        : " (and so " + times.get(e.getKey()) + " times)"))
                        .toList());
    }
}
