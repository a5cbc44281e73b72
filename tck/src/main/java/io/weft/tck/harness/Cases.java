package io.weft.tck.harness;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.tck.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** The permutations in which a rule is tried. */
final class Cases {
    private final List<Topology> topologies;
    private final List<Facts.Kinds> kinds;
    private final List<Optional<Shape>> shapes;

    private Cases(List<Topology> topologies, List<Facts.Kinds> kinds, List<Optional<Shape>> shapes) {
        this.topologies = topologies;
        this.kinds = kinds;
        this.shapes = shapes;
    }

    static List<Case> of(Run run, RuleTest test, boolean shaped) {
        List<Topology> topologies = Arrays.stream(test.topologies())
                .filter(t -> t != Topology.PROCESS || run.hasProcesses())
                .toList();
        Optional<MemoryKind> only =
                run.config().memory().map(text -> MemoryLocation.parse(text).kind());
        // Rules that are not about bytes say the same of every kind, and some look at host memory.
        List<Facts.Kinds> kinds = run.facts().pairs().stream()
                .filter(pair -> only.isEmpty()
                        || !test.everyKind()
                        || pair.local().equals(only.get())
                        || pair.remote().equals(only.get()))
                .limit(test.everyKind() ? Long.MAX_VALUE : 1)
                .toList();
        List<Optional<Shape>> shapes = shaped
                ? Shape.of(run.config().profile(), run.facts().limits()).stream()
                        .map(Optional::of)
                        .toList()
                : List.of(Optional.empty());
        if (topologies.isEmpty() || kinds.isEmpty()) {
            return List.of();
        }
        List<int[]> chosen =
                new Cases(topologies, kinds, shapes).choose(run.config().profile());
        SplittableRandom seeds =
                new SplittableRandom(run.config().seed() ^ test.value().hashCode());
        return chosen.stream()
                .map(c -> new Case(topologies.get(c[0]), kinds.get(c[1]), shapes.get(c[2]), seeds.nextLong()))
                .toList();
    }

    private List<int[]> choose(Profile profile) {
        List<int[]> all = new ArrayList<>();
        for (int t = 0; t < topologies.size(); t++) {
            for (int k = 0; k < kinds.size(); k++) {
                for (int s = 0; s < shapes.size(); s++) {
                    all.add(new int[] {t, k, s});
                }
            }
        }
        return switch (profile) {
            case QUICK -> all.stream().filter(c -> c[0] == 0 && c[1] == 0).toList();
            case STANDARD -> pairwise(all);
            case FULL -> all;
        };
    }

    /** Takes combinations that cover the most new pairs until every pair of values of two axes is covered. */
    private static List<int[]> pairwise(List<int[]> all) {
        Set<List<Integer>> open = new HashSet<>();
        all.forEach(c -> open.addAll(pairs(c)));
        Set<int[]> chosen = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            int[] best = all.getFirst();
            long most = -1;
            for (int[] candidate : all) {
                long covers = pairs(candidate).stream().filter(open::contains).count();
                if (covers > most) {
                    most = covers;
                    best = candidate;
                }
            }
            open.removeAll(new HashSet<>(pairs(best)));
            chosen.add(best);
        }
        return List.copyOf(chosen);
    }

    private static List<List<Integer>> pairs(int[] c) {
        return List.of(List.of(0, c[0], 1, c[1]), List.of(0, c[0], 2, c[2]), List.of(1, c[1], 2, c[2]));
    }
}
