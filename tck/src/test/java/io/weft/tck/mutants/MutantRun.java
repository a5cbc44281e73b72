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

    /** Tries the named rules, all of them if none is named. Rules of devices need some device memory, the others none. */
    static Results of(List<String> rules, boolean device, Optional<Mutant> mutant) {
        return Tck.run(new TckConfig(
                "mem",
                Map.of(),
                device ? Optional.of("fake") : Optional.empty(),
                rules,
                Profile.QUICK,
                Optional.empty(),
                Optional.empty(),
                Long.getLong(TckConfig.SEED, 1),
                1,
                mutant.map(Mutant::name)));
    }
}
