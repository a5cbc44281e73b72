package io.weft.tck.kv;

import io.weft.kv.RankDirectory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A directory that tells another place of a prefill rank than the one it knows. As safe as the one behind it. */
record Detour(RankDirectory behind, UnaryOperator<RankDirectory.RankAddress> detour) implements RankDirectory {
    @Override
    public RankAddress rank(String registry, Coordinates coordinates) {
        return detour.apply(behind.rank(registry, coordinates));
    }

    @Override
    public Handle keepRegistered(String registry, Registration registration) {
        return behind.keepRegistered(registry, registration);
    }

    @Override
    public Topology topology(String registry) {
        return behind.topology(registry);
    }

    @Override
    public void registerDpRank(String registry, long room, int dpRank) {
        behind.registerDpRank(registry, room, dpRank);
    }

    @Override
    public Map<Long, Integer> dpRanks(String registry, List<Long> rooms) {
        return behind.dpRanks(registry, rooms);
    }

    @Override
    public Optional<String> health(String registry) {
        return behind.health(registry);
    }
}
