package io.weft.verify;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All checks of a run, and the report at its end. */
final class Tally {

    private static final int SLOWEST = 10;
    private static final int MESSAGE_LIMIT = 2_000;
    private static final int NAMES_SHOWN = 3;

    private final List<Check> checks = new ArrayList<>();

    void add(List<Check> more) {
        checks.addAll(more);
    }

    void add(Tally other) {
        checks.addAll(other.checks);
    }

    void add(Check check) {
        checks.add(check);
    }

    long count(Check.Outcome outcome) {
        return checks.stream().filter(check -> check.outcome() == outcome).count();
    }

    /** For example {@code 312 passed, 0 failed, 3 skipped}; others are named only if there are any. */
    String line() {
        long skipped = count(Check.Outcome.SKIPPED);
        long notRun = count(Check.Outcome.NOT_RUN);
        return count(Check.Outcome.PASSED) + " passed, " + count(Check.Outcome.FAILED) + " failed"
                + (skipped == 0 ? "" : ", " + skipped + " skipped")
                + (notRun == 0 ? "" : ", " + notRun + " not run");
    }

    void print(PrintStream out) {
        printSlowest(out);
        printByReason("Skipped", Check.Outcome.SKIPPED, out);
        printByReason("Not run", Check.Outcome.NOT_RUN, out);
        printFailed(out);
    }

    private void printSlowest(PrintStream out) {
        out.println("\nSlowest:");
        checks.stream()
                .filter(check -> check.outcome() == Check.Outcome.PASSED || check.outcome() == Check.Outcome.FAILED)
                .sorted(Comparator.comparing(Check::took).reversed())
                .limit(SLOWEST)
                .forEach(check -> out.printf("  %12s  %s%n", Text.time(check.took()), check.name()));
    }

    /** By reason, because one missing package skips many, and one broken build leaves many without their products. */
    private void printByReason(String title, Check.Outcome outcome, PrintStream out) {
        Map<String, List<String>> byReason = new TreeMap<>();
        for (Check check : checks) {
            if (check.outcome() == outcome) {
                byReason.computeIfAbsent(check.message(), reason -> new ArrayList<>())
                        .add(check.name());
            }
        }
        if (byReason.isEmpty()) {
            return;
        }
        out.println("\n" + title + ":");
        byReason.forEach((reason, names) -> {
            out.println(Text.indent(reason, "  "));
            names.stream().limit(NAMES_SHOWN).forEach(name -> out.println("      " + name));
            if (names.size() > NAMES_SHOWN) {
                out.println("      and " + (names.size() - NAMES_SHOWN) + " more");
            }
        });
    }

    private void printFailed(PrintStream out) {
        if (count(Check.Outcome.FAILED) == 0) {
            return;
        }
        out.println("\nFailed:");
        for (Check check : checks) {
            if (check.outcome() == Check.Outcome.FAILED) {
                String message = check.message();
                out.println("  " + check.name());
                out.println(Text.indent(
                        message.length() <= MESSAGE_LIMIT ? message : message.substring(0, MESSAGE_LIMIT) + " ...",
                        "      "));
            }
        }
    }
}
