package io.weft.discovery;

import io.weft.api.Verdict;
import io.weft.discovery.Guard.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Turns what was found into entries: constructs, behind a guard, what may be constructed. */
final class Construction {
    /** Makes the entry of a provider that was not constructed. */
    @FunctionalInterface
    interface Refusal<P, E> {
        E entry(Found<P> found, Verdict verdict, String evidence);
    }

    private Construction() {}

    /**
     * Runs {@code ask} for each provider that loads and whose class is not denied; the call constructs the provider and may
     * throw or hang.
     */
    static <P, E> List<E> run(
            List<Found<P>> found,
            Set<String> deny,
            Duration timeout,
            Function<Found<P>, E> ask,
            Refusal<P, E> refusal) {
        List<E> entries = new ArrayList<>();
        List<Found<P>> wanted = new ArrayList<>();
        for (Found<P> candidate : found) {
            if (candidate.type() == null) {
                entries.add(refusal.entry(candidate, Verdict.LOAD_FAILED, candidate.failure()));
            } else if (deny.contains(candidate.className())) {
                entries.add(refusal.entry(
                        candidate, Verdict.DISABLED, "weft.backends.deny names " + candidate.className()));
            } else {
                wanted.add(candidate);
            }
        }
        List<Callable<E>> calls = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        for (Found<P> candidate : wanted) {
            calls.add(() -> ask.apply(candidate));
            loaders.add(candidate.loader());
        }
        List<Outcome<E>> outcomes = Guard.callAll("constructor", timeout, calls, loaders);
        for (int i = 0; i < wanted.size(); i++) {
            entries.add(
                    switch (outcomes.get(i)) {
                        case Outcome.Returned<E>(E entry) -> entry;
                        case Outcome.Failed<E>(String evidence) ->
                            refusal.entry(wanted.get(i), Verdict.LOAD_FAILED, evidence);
                    });
        }
        return entries;
    }
}
