package io.weft.tck.mutants;

import io.weft.tck.Profile;
import io.weft.tck.Tck;
import io.weft.tck.TckConfig;
import io.weft.tck.report.Results;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kit over the reference backend, quick, with a mutant or without one; seed by {@value TckConfig#SEED}. */
final class MutantRun {
    private MutantRun() {}

    /** Tries the named rules, all of them if none is named; with device memory if the mutant's rule needs some. */
    static Results of(List<String> rules, Optional<Mutant> mutant) {
        return Tck.run(new TckConfig(
                "mem",
                Map.of(),
                mutant.filter(Mutant::isOfDevices).map(any -> "fake"),
                rules,
                Profile.QUICK,
                Optional.empty(),
                Optional.empty(),
                Long.getLong(TckConfig.SEED, 1),
                1,
                mutant.map(Mutant::name)));
    }
}
