package io.weft.config;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every option that exists in this process: those of Weft's own components and those of the backends that were found.
 *
 * <p>Immutable; safe from any thread.
 */
public final class OptionCatalogue {
    /** Appended to the key of a secret: names a file that holds it. */
    static final String FILE_SUFFIX = "-file";

    private static final String BACKEND_PREFIX = "weft.backend.";
    private final List<OptionGroup> groups;
    private final Map<String, KnownOption> byKey;
    private final Map<String, KnownOption> byEnvironment;
    private final Map<String, String> unreadable;

    private OptionCatalogue(
            List<OptionGroup> groups,
            Map<String, KnownOption> byKey,
            Map<String, KnownOption> byEnvironment,
            Map<String, String> unreadable) {
        this.groups = groups;
        this.unreadable = unreadable;
        this.byKey = byKey;
        this.byEnvironment = byEnvironment;
    }

    /**
     * Puts groups together. A secret gets a second option, its key with {@code -file} appended, that names a file holding
     * the secret.
     *
     * @param groups the components' options
     * @return the catalogue
     * @throws IllegalArgumentException if two options share a key or an environment name, or one key is the path to another,
     *     which no configuration file can express
     */
    public static OptionCatalogue of(Collection<OptionGroup> groups) {
        return of(groups, Map.of());
    }

    /**
     * The same, where some backends could not tell their options.
     *
     * @param groups the components' options
     * @param unreadable why, by the backend's name
     * @return the catalogue
     */
    public static OptionCatalogue of(Collection<OptionGroup> groups, Map<String, String> unreadable) {
        Map<String, KnownOption> byKey = new TreeMap<>();
        Map<String, KnownOption> byEnvironment = new HashMap<>();
        for (OptionGroup group : groups) {
            for (OptionSpec spec : withFiles(group.options())) {
                KnownOption option = new KnownOption(group, spec);
                KnownOption sameKey = byKey.put(option.key(), option);
                KnownOption sameName = byEnvironment.put(option.environmentName(), option);
                KnownOption other = sameKey == null ? sameName : sameKey;
                if (other != null) {
                    throw new IllegalArgumentException("options " + option.key() + " of " + group.name() + " and "
                            + other.key() + " of " + other.group().name() + " have the same name "
                            + option.environmentName());
                }
            }
        }
        refusePathsThroughOptions(byKey);
        return new OptionCatalogue(
                List.copyOf(groups),
                Collections.unmodifiableMap(byKey),
                Map.copyOf(byEnvironment),
                Map.copyOf(unreadable));
    }

    /**
     * The components.
     *
     * @return in the order they were given
     */
    public List<OptionGroup> groups() {
        return groups;
    }

    /**
     * Every option.
     *
     * @return in the order of keys
     */
    public Collection<KnownOption> options() {
        return byKey.values();
    }

    /**
     * Looks an option up.
     *
     * @param key its whole key
     * @return the option
     */
    public Optional<KnownOption> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Optional<KnownOption> findByEnvironment(String name) {
        return Optional.ofNullable(byEnvironment.get(name));
    }

    /** Says why a key means nothing here and what was probably meant. */
    String whyUnknown(String key) {
        if (key.startsWith(BACKEND_PREFIX)) {
            String name = key.substring(BACKEND_PREFIX.length()).split("\\.", 2)[0];
            List<String> here = backends();
            String broken = unreadable.get(name);
            if (broken != null) {
                return "backend " + name + " cannot be used: " + broken;
            }
            if (!here.contains(name)) {
                return KnownBackends.whyAbsent(name, here) + "; or take the option out";
            }
        }
        List<String> below =
                byKey.keySet().stream().filter(k -> k.startsWith(key + ".")).toList();
        return below.isEmpty()
                ? "no such option" + Nearest.suggestion(key, byKey.keySet())
                : "no option by itself; those below it are " + String.join(", ", below);
    }

    /** The same for the name of an environment variable, which may come from several keys. */
    String whyUnknownVariable(String name) {
        String asKey = name.toLowerCase(Locale.ROOT).replace('_', '.');
        if (asKey.startsWith(BACKEND_PREFIX)
                && backends().stream()
                        .noneMatch(b -> name.startsWith(KnownOption.environmentName(BACKEND_PREFIX + b)))) {
            return whyUnknown(asKey);
        }
        return "no such option" + Nearest.suggestion(name, byEnvironment.keySet());
    }

    private List<String> backends() {
        return groups.stream()
                .filter(g -> g.prefix().startsWith(BACKEND_PREFIX))
                .map(OptionGroup::name)
                .toList();
    }

    private static List<OptionSpec> withFiles(List<OptionSpec> specs) {
        List<OptionSpec> all = new ArrayList<>(specs);
        for (OptionSpec spec : specs) {
            if (spec.isSecret()) {
                all.add(OptionSpec.of(
                        spec.key() + FILE_SUFFIX,
                        Type.STRING,
                        "",
                        "A file that holds the value of " + spec.key() + "."));
            }
        }
        return all;
    }

    private static void refusePathsThroughOptions(Map<String, KnownOption> byKey) {
        for (String key : byKey.keySet()) {
            for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
                if (byKey.containsKey(key.substring(0, dot))) {
                    throw new IllegalArgumentException("option " + key + " lies below option " + key.substring(0, dot)
                            + "; a configuration file cannot hold both");
                }
            }
        }
    }
}
