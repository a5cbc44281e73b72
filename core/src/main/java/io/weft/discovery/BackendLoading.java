package io.weft.discovery;

import io.weft.api.Verdict;
import io.weft.config.OptionGroup;
import io.weft.spi.BackendProvider;
import io.weft.spi.SpiLevel;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Constructs providers of backends and asks them who they are. Thread-confined. */
final class BackendLoading {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    private final Set<String> allow;
    private final Set<String> deny;
    private final Duration timeout;

    BackendLoading(Set<String> allow, Set<String> deny, Duration timeout) {
        this.allow = allow;
        this.deny = deny;
        this.timeout = timeout;
    }

    List<BackendEntry> load(List<Found<BackendProvider>> found) {
        List<BackendEntry> entries = Construction.run(found, deny, timeout, this::ask, BackendEntry::neverLoaded);
        return refuseDuplicates(entries).stream()
                .sorted(Comparator.comparing((BackendEntry e) -> e.refused().isPresent())
                        .thenComparing(e -> -e.priority())
                        .thenComparing(BackendEntry::name)
                        .thenComparing(e -> e.source().location()))
                .toList();
    }

    /** Runs on a guard's thread: everything here may throw or hang. */
    private BackendEntry ask(Found<BackendProvider> found) {
        BackendProvider provider = found.make();
        String name = provider.name();
        if (name == null || !NAME.matcher(name).matches()) {
            return BackendEntry.neverLoaded(
                    found,
                    Verdict.LOAD_FAILED,
                    "its name is '" + name
                            + "'; a name is a lower-case letter and at most 31 lower-case letters, digits" + " or '-'");
        }
        SpiLevel level = provider.builtFor();
        if (!SpiLevel.running().accepts(level)) {
            return entry(found, provider, name, "", level, 0, Optional.empty())
                    .refuse(Verdict.INCOMPATIBLE, wrongLevel(level));
        }
        OptionGroup options = OptionGroup.ofBackend(name, provider.options());
        BackendEntry entry =
                entry(found, provider, name, provider.version(), level, provider.priority(), Optional.of(options));
        if (deny.contains(name)) {
            return entry.refuse(Verdict.DISABLED, "weft.backends.deny names " + name);
        }
        if (!allow.isEmpty() && !allow.contains(name)) {
            return entry.refuse(
                    Verdict.DISABLED,
                    "weft.backends.allow has only " + allow.stream().sorted().collect(Collectors.joining(", ")));
        }
        return entry;
    }

    static String wrongLevel(SpiLevel level) {
        return "built for SPI level " + level + ", this Weft has " + SpiLevel.running()
                + "; use a release of it that was built for " + SpiLevel.MAJOR + ".x";
    }

    private static BackendEntry entry(
            Found<BackendProvider> found,
            BackendProvider provider,
            String name,
            String version,
            SpiLevel level,
            int priority,
            Optional<OptionGroup> options) {
        return new BackendEntry(
                name,
                provider.getClass().getName(),
                version,
                level.toString(),
                found.source(),
                priority,
                options,
                Optional.of(provider),
                Optional.empty(),
                "",
                Optional.empty());
    }

    private static List<BackendEntry> refuseDuplicates(List<BackendEntry> entries) {
        Map<String, List<BackendEntry>> byName = entries.stream()
                .filter(e -> e.refused().isEmpty())
                .collect(Collectors.groupingBy(BackendEntry::name, LinkedHashMap::new, Collectors.toList()));
        return entries.stream()
                .map(e -> e.refused().isPresent() ? e : withoutRival(e, byName.getOrDefault(e.name(), List.of())))
                .toList();
    }

    private static BackendEntry withoutRival(BackendEntry entry, List<BackendEntry> sameName) {
        if (sameName.size() < 2) {
            return entry;
        }
        List<BackendEntry> byApplication =
                sameName.stream().filter(e -> e.source().isApplication()).toList();
        if (byApplication.size() == 1) {
            return byApplication.contains(entry)
                    ? entry
                    : entry.refuse(
                            Verdict.DISABLED,
                            "the application gave its own backend " + entry.name() + ", "
                                    + byApplication.getFirst().className());
        }
        String places = sameName.stream()
                .map(e -> e.className() + " in " + e.source())
                .sorted()
                .collect(Collectors.joining(" and "));
        return entry.refuse(
                Verdict.DUPLICATE_NAME,
                "the name " + entry.name() + " is taken by " + places
                        + "; remove one, or name its class in weft.backends.deny");
    }
}
