package io.weft.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody probably meant. */
final class Nearest {
    /** Nobody mistypes more than this, and comparing takes the product of the lengths. */
    private static final int LONGEST = 200;

    private Nearest() {}

    /** A tail for error texts: empty if nothing is near. */
    static String suggestion(String wrong, Collection<String> right) {
        return find(wrong, right).map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** The nearest name, if fewer than a third of the characters differ. */
    static Optional<String> find(String wrong, Collection<String> right) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        int furthest = Math.max(1, wrong.length() / 3);
        return right.stream()
                .min(Comparator.comparingInt((String name) -> distance(wrong, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(wrong, name) <= furthest);
    }

    /** Levenshtein distance, a swap of neighbours counting as one step. */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] now = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replace, Math.min(last[j], now[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    now[j] = Math.min(now[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = now;
            now = free;
        }
        return last[b.length()];
    }
}
