package io.weft.bootstrap;

import java.util.List;
import java.util.Optional;

/**
 * A registry at the moment somebody looked. Immutable.
 *
 * @param instance changes when the registry is restarted and has forgotten
 * @param ready whether all ranks of the instance are registered
 * @param registered ranks of the instance's shape that are registered
 * @param topology the instance's shape, empty before the first rank
 * @param ranks all registered ranks, by coordinates
 * @param rooms rooms whose DP rank is known
 * @param losses ranks that were forgotten because they were silent, latest first, no more than a few
 * @since 0.1
 */
public record RegistryView(
        String instance,
        boolean ready,
        long registered,
        Optional<Topology> topology,
        List<Rank> ranks,
        int rooms,
        List<Loss> losses) {
    /**
     * A registered rank.
     *
     * @param entry the rank
     * @param silentNanos time since it was heard
     * @since 0.1
     */
    public record Rank(RankEntry entry, long silentNanos) {}

    /**
     * A rank that was forgotten.
     *
     * @param entry the rank
     * @param agoNanos time since then
     * @param why what was found
     * @since 0.1
     */
    public record Loss(RankEntry entry, long agoNanos, String why) {}

    /** Copies the lists. */
    public RegistryView {
        ranks = List.copyOf(ranks);
        losses = List.copyOf(losses);
    }
}
