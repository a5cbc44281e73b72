package io.weft.discovery;

import io.weft.api.Verdict;
import io.weft.config.KnownBackends;
import io.weft.config.OptionCatalogue;
import io.weft.config.OptionGroup;
import io.weft.spi.OptionValues;
import io.weft.spi.ProbeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Every backend that was found, in the order in which selection prefers them: loadable ones by priority and name, then those
 * that were refused.
 *
 * <p>Immutable; safe from any thread.
 */
public final class BackendCatalogue {
    private final List<BackendEntry> entries;

    BackendCatalogue(List<BackendEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * The backends.
     *
     * @return in order of preference
     */
    public List<BackendEntry> entries() {
        return entries;
    }

    /**
     * Looks a loadable backend up.
     *
     * @param name its name
     * @return the entry, if it was not refused
     */
    public Optional<BackendEntry> find(String name) {
        return entries.stream()
                .filter(e -> e.refused().isEmpty() && e.name().equals(name))
                .findFirst();
    }

    /**
     * The options of all backends that could be asked.
     *
     * @return groups for an {@link io.weft.config.OptionCatalogue}, one for each name
     */
    public List<OptionGroup> optionGroups() {
        Map<String, OptionGroup> byName = new LinkedHashMap<>();
        entries.forEach(e -> e.options().ifPresent(group -> byName.putIfAbsent(e.name(), group)));
        return List.copyOf(byName.values());
    }

    /**
     * The backends whose options could not be asked though their names are known.
     *
     * @return why, by name
     */
    public Map<String, String> unreadable() {
        Map<String, String> byName = new LinkedHashMap<>();
        entries.stream()
                .filter(e -> e.options().isEmpty() && !e.name().equals(e.className()))
                .forEach(e -> byName.putIfAbsent(e.name(), e.reason()));
        return byName;
    }

    /** Refuses each backend whose options clash with those of Weft or of a backend before it, so that the others work. */
    BackendCatalogue withoutClashes(Collection<OptionGroup> own) {
        List<OptionGroup> groups = new ArrayList<>(own);
        Set<String> seen = new HashSet<>();
        List<BackendEntry> checked = new ArrayList<>();
        for (BackendEntry entry : entries) {
            OptionGroup group = entry.options().orElse(null);
            if (group == null || !seen.add(entry.name())) {
                checked.add(entry);
                continue;
            }
            groups.add(group);
            try {
                OptionCatalogue.of(groups);
                checked.add(entry);
            } catch (IllegalArgumentException e) {
                groups.removeLast();
                checked.add(entry.withoutOptions()
                        .refuse(
                                Verdict.LOAD_FAILED,
                                e.getMessage() + "; rename one, or take one of the backends away"));
            }
        }
        return new BackendCatalogue(checked);
    }

    /** Adds an entry for each name that the configuration counts on and no provider has. */
    BackendCatalogue withAbsent(Map<String, String> keysByName) {
        List<String> here = entries.stream().map(BackendEntry::name).distinct().toList();
        List<BackendEntry> all = new ArrayList<>(entries);
        keysByName.forEach((name, key) -> {
            if (!here.contains(name)) {
                all.add(BackendEntry.absent(name, key + " names it, but " + KnownBackends.whyAbsent(name, here)));
            }
        });
        return new BackendCatalogue(all);
    }

    /**
     * Probes every backend that was not refused, all at once. A probe that throws, hangs or answers null makes its backend
     * unusable and nothing else.
     *
     * @param options the values of a group
     * @param timeout how long the probes may take, all together
     * @return a catalogue with their answers
     */
    public BackendCatalogue probe(Function<OptionGroup, OptionValues> options, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        return new BackendCatalogue(Probing.run(
                entries,
                timeout,
                BackendEntry::provider,
                (entry, provider) ->
                        provider.probe(new Probe(options.apply(entry.options().orElseThrow()), deadline)),
                BackendEntry::probed));
    }

    private record Probe(OptionValues options, long deadlineNanos) implements ProbeContext {}
}
