package io.weft.discovery;

import io.weft.api.Verdict;
import io.weft.config.OptionGroup;
import io.weft.discovery.Guard.Outcome;
import io.weft.spi.BackendProvider;
import io.weft.spi.SpiLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds backends. By default on the paths of the running application; class loaders, module layers and ready providers can be
 * added.
 *
 * <p>Thread-confined; {@link #backends} may be called more than once.
 */
public final class Discovery {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    private final Map<ClassLoader, Boolean> loaders = new LinkedHashMap<>();
    private final Map<ModuleLayer, String> layers = new LinkedHashMap<>();
    private final List<BackendProvider> given = new ArrayList<>();
    private Set<String> allow = Set.of();
    private Set<String> deny = Set.of();
    private Duration timeout = Duration.ofSeconds(5);

    private Discovery() {}

    /**
     * Looks nowhere yet.
     *
     * @return an empty discovery, for programs that name their providers
     */
    public static Discovery empty() {
        return new Discovery();
    }

    /**
     * Looks where the application is: the context class loader, and the module layer Weft itself is in.
     *
     * @return a discovery with the application's paths
     */
    public static Discovery ofApplication() {
        Discovery discovery = new Discovery();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = Discovery.class.getClassLoader();
        discovery.in(context == null ? own : context);
        ModuleLayer layer = Discovery.class.getModule().getLayer();
        if (layer != null && layer != ModuleLayer.boot()) {
            discovery.in(layer, "");
        }
        return discovery;
    }

    /**
     * Also looks in a class loader, and in the modules it sees.
     *
     * @param loader the loader
     * @return this
     */
    public Discovery in(ClassLoader loader) {
        loaders.put(Objects.requireNonNull(loader, "loader"), true);
        return this;
    }

    /**
     * Also looks in a module layer and its parents.
     *
     * @param layer the layer
     * @param name how the layer is called in reports, such as {@code plugin acme}; empty for the module's name
     * @return this
     */
    public Discovery in(ModuleLayer layer, String name) {
        layers.put(Objects.requireNonNull(layer, "layer"), Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * Takes a provider as it is. It replaces a found one of the same name.
     *
     * @param provider the provider
     * @return this
     */
    public Discovery with(BackendProvider provider) {
        given.add(Objects.requireNonNull(provider, "provider"));
        return this;
    }

    /**
     * Only these backends may be used.
     *
     * @param names backend names; empty means all
     * @return this
     */
    public Discovery allow(Collection<String> names) {
        allow = Set.copyOf(names);
        return this;
    }

    /**
     * These may not, also when they are allowed.
     *
     * @param names backend names or provider class names; a provider denied by its class is not even constructed
     * @return this
     */
    public Discovery deny(Collection<String> names) {
        deny = Set.copyOf(names);
        return this;
    }

    /**
     * How long constructing the providers may take, all together.
     *
     * @param limit the limit, 5 s by default
     * @return this
     */
    public Discovery timeout(Duration limit) {
        timeout = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /**
     * Finds and constructs the providers; probes nothing. Bounded by the timeout.
     *
     * @return what there is, broken ones included
     */
    public BackendCatalogue backends() {
        List<BackendEntry> entries = new ArrayList<>();
        List<Found<BackendProvider>> wanted = new ArrayList<>();
        for (Found<BackendProvider> candidate : find()) {
            if (candidate.type() == null) {
                entries.add(BackendEntry.neverLoaded(candidate, Verdict.LOAD_FAILED, candidate.failure()));
            } else if (deny.contains(candidate.className())) {
                entries.add(BackendEntry.neverLoaded(
                        candidate, Verdict.DISABLED, "weft.backends.deny names " + candidate.className()));
            } else {
                wanted.add(candidate);
            }
        }
        entries.addAll(load(wanted));
        return new BackendCatalogue(refuseDuplicates(entries).stream()
                .sorted(Comparator.comparing((BackendEntry e) -> e.refused().isPresent())
                        .thenComparing(e -> -e.priority())
                        .thenComparing(BackendEntry::name)
                        .thenComparing(e -> e.source().location()))
                .toList());
    }

    private List<Found<BackendProvider>> find() {
        List<Found<BackendProvider>> all = new ArrayList<>();
        for (BackendProvider provider : given) {
            all.add(Found.loaded(provider.getClass(), Source.APPLICATION, () -> provider));
        }
        layers.forEach((layer, name) ->
                all.addAll(Scan.layer(BackendProvider.class, ServiceLoader.load(layer, BackendProvider.class), name)));
        for (ClassLoader loader : loaders.keySet()) {
            all.addAll(
                    Scan.classLoader(BackendProvider.class, ServiceLoader.load(BackendProvider.class, loader), loader));
        }
        return withoutRepeats(all);
    }

    /** Loaders and layers overlap; one class is one provider, however often it is seen. */
    private static List<Found<BackendProvider>> withoutRepeats(List<Found<BackendProvider>> all) {
        Map<Object, Found<BackendProvider>> distinct = new LinkedHashMap<>();
        for (Found<BackendProvider> found : all) {
            boolean isGiven = found.source().layer().equals(Source.APPLICATION);
            Object identity =
                    isGiven ? found : found.type() != null ? found.type() : found.source() + found.className();
            distinct.putIfAbsent(identity, found);
        }
        return List.copyOf(distinct.values());
    }

    private List<BackendEntry> load(List<Found<BackendProvider>> wanted) {
        List<Callable<BackendEntry>> calls = new ArrayList<>();
        List<ClassLoader> callLoaders = new ArrayList<>();
        for (Found<BackendProvider> found : wanted) {
            calls.add(() -> load(found));
            callLoaders.add(found.loader());
        }
        List<Outcome<BackendEntry>> outcomes = Guard.callAll("constructor", timeout, calls, callLoaders);
        List<BackendEntry> entries = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            entries.add(
                    switch (outcomes.get(i)) {
                        case Outcome.Returned<BackendEntry>(BackendEntry entry) -> entry;
                        case Outcome.Failed<BackendEntry>(String evidence) ->
                            BackendEntry.neverLoaded(wanted.get(i), Verdict.LOAD_FAILED, evidence);
                    });
        }
        return entries;
    }

    /** Runs on a guard's thread: everything here may throw or hang. */
    private BackendEntry load(Found<BackendProvider> found) {
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
                    .refuse(
                            Verdict.INCOMPATIBLE,
                            "built for SPI level " + level + ", this Weft has " + SpiLevel.running()
                                    + "; use a release of the backend that was built for " + SpiLevel.MAJOR + ".x");
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
        List<BackendEntry> byApplication = sameName.stream()
                .filter(e -> e.source().layer().equals(Source.APPLICATION))
                .toList();
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
