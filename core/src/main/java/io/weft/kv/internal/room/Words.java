package io.weft.kv.internal.room;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists for people. */
public final class Words {
    private static final int MOST = 8;

    private Words() {}

    /**
     * Names the first of what may be many, so that a line stays readable.
     *
     * @param items in the order in which to name them
     * @return such as {@code a, b and 3 more}
     */
    public static String list(Stream<String> items) {
        List<String> all = items.toList();
        String named = all.stream().limit(MOST).collect(Collectors.joining(", "));
        return all.size() <= MOST ? named : named + " and " + (all.size() - MOST) + " more";
    }
}
