package io.weft.discovery;

import io.weft.discovery.Guard.Outcome;
import io.weft.spi.Availability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs all probes at once behind a guard, and makes an answer of whatever comes back. */
final class Probing {
    private static final String DEFECT = "this is a defect of the provider; weft.backends.deny leaves it out";

    private Probing() {}

    /** Entries without a provider stay as they are. */
    static <P, E> List<E> run(
            List<E> entries,
            Duration timeout,
            Function<E, Optional<P>> provider,
            BiFunction<E, P, @Nullable Availability> probe,
            BiFunction<E, Availability, E> answered) {
        List<Integer> asked = new ArrayList<>();
        List<Callable<Availability>> calls = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            E entry = entries.get(i);
            P found = provider.apply(entry).orElse(null);
            if (found != null) {
                asked.add(i);
                calls.add(() -> orDefect(probe.apply(entry, found)));
                loaders.add(found.getClass().getClassLoader());
            }
        }
        List<Outcome<Availability>> answers = Guard.callAll("probe", timeout, calls, loaders);
        List<E> probed = new ArrayList<>(entries);
        for (int i = 0; i < asked.size(); i++) {
            int at = asked.get(i);
            probed.set(at, answered.apply(entries.get(at), answer(answers.get(i))));
        }
        return probed;
    }

    /** One line for people. */
    static String reason(Availability answer) {
        return answer.remedy().isEmpty() ? answer.reason() : answer.reason() + "; " + answer.remedy();
    }

    private static Availability orDefect(@Nullable Availability answer) {
        return answer != null ? answer : Availability.unusable("the probe returned null", DEFECT);
    }

    private static Availability answer(Outcome<Availability> outcome) {
        return switch (outcome) {
            case Outcome.Returned<Availability>(Availability value) -> value;
            case Outcome.Failed<Availability>(String evidence) ->
                Availability.unusable(evidence.startsWith("threw") ? "the probe " + evidence : evidence, DEFECT);
        };
    }
}
