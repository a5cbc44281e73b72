package io.weft.config;

import io.weft.config.Origin.Layer;
import io.weft.spi.OptionSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One run over the catalogue: for each option the first source that has a value wins. Thread-confined. */
final class Resolver {
    /** Prefixes that belong to test harnesses, which read them themselves. */
    private static final List<String> FOREIGN = List.of("weft.test.", "weft.tck.");

    private static final int LARGEST_SECRET = 64 << 10;

    private final OptionCatalogue catalogue;
    private final ConfigurationSources sources;
    private final ConfigFile file;
    private final List<Problem> problems = new ArrayList<>();
    private final Set<String> groupsWithProblems = new HashSet<>();
    private final List<String> warnings = new ArrayList<>();

    /** A value as somebody wrote it. */
    private record Written(String name, String text, Origin origin) {}

    Resolver(OptionCatalogue catalogue, ConfigurationSources sources) {
        this.catalogue = catalogue;
        this.sources = sources;
        this.file = ConfigFile.read(sources, secretNames(catalogue));
    }

    private static List<String> secretNames(OptionCatalogue catalogue) {
        return catalogue.options().stream()
                .map(KnownOption::spec)
                .filter(OptionSpec::isSecret)
                .map(OptionSpec::key)
                .toList();
    }

    Configuration resolve() {
        problems.addAll(file.problems());
        Map<String, Setting> settings = new TreeMap<>();
        for (KnownOption option : catalogue.options()) {
            settings.put(option.key(), effective(option));
        }
        for (KnownOption option : catalogue.options()) {
            if (option.spec().isSecret()) {
                settings.computeIfPresent(option.key(), (key, direct) -> orFromFile(direct, settings));
            }
        }
        catalogue.groups().forEach(group -> check(group, settings));
        reportUnknown();
        problems.sort(Comparator.comparing(Problem::key));
        return new Configuration(Collections.unmodifiableMap(settings), problems, warnings);
    }

    private Setting effective(KnownOption option) {
        Setting winner = null;
        for (Written written : written(option)) {
            Setting setting = read(option, written, winner != null);
            if (winner == null) {
                winner = setting;
            }
        }
        return winner != null ? winner : defaultOf(option);
    }

    private List<Written> written(KnownOption option) {
        String key = option.key();
        List<Written> all = new ArrayList<>();
        add(all, key, sources.api().get(key), Layer.API, "set by the program");
        add(all, key, sources.flags().get(key), Layer.FLAG, "command line");
        add(all, key, sources.properties().get(key), Layer.PROPERTY, "-D" + key);
        String variable = option.environmentName();
        add(all, variable, emptyAsUnset(variable), Layer.ENVIRONMENT, "environment " + variable);
        for (String alias : option.spec().aliases()) {
            add(all, alias, emptyAsUnset(alias), Layer.ALIAS, "environment " + alias);
        }
        ConfigFile.Entry entry = file.entries().get(key);
        if (entry != null) {
            all.add(new Written(key, entry.text(), entry.origin()));
        }
        return all;
    }

    private static void add(List<Written> all, String name, @Nullable String text, Layer layer, String where) {
        if (text != null) {
            all.add(new Written(name, text, new Origin(layer, where)));
        }
    }

    /** {@code export X=} is how shells take a variable back. */
    private @Nullable String emptyAsUnset(String variable) {
        String text = sources.environment().get(variable);
        return text == null || text.isEmpty() ? null : text;
    }

    /** The value, or null if this source does not count. */
    private @Nullable Setting read(KnownOption option, Written written, boolean overridden) {
        OptionSpec spec = option.spec();
        Layer layer = written.origin().layer();
        if (layer == Layer.ALIAS && overridden) {
            return null; // meant for another program and of no effect here
        }
        if (layer == Layer.ALIAS && OptionText.switchesDeadlineOff(spec, written.text())) {
            warnings.add(
                    written.name() + "=" + written.text() + " would switch a deadline off, which Weft does not do; "
                            + option.key() + " keeps its default " + spec.defaultValue());
            return null;
        }
        if (spec.isSecret() && (layer == Layer.FLAG || layer == Layer.PROPERTY)) {
            report(
                    option,
                    written.name(),
                    written.origin(),
                    "a secret on the command line is visible to every user of this host; set "
                            + option.environmentName() + " or name a file by " + option.key()
                            + OptionCatalogue.FILE_SUFFIX);
            return null;
        }
        try {
            Object value = layer == Layer.ALIAS
                    ? OptionText.readAlias(spec, written.name(), written.text())
                    : OptionText.read(spec, written.text());
            return new Setting(option, value, written.origin());
        } catch (OptionText.Unreadable e) {
            String shown = spec.isSecret() ? "the value" : "'" + Printable.shortened(written.text()) + "'";
            report(
                    option,
                    written.name(),
                    written.origin(),
                    shown + ": " + e.getMessage() + "; allowed: " + OptionText.allowed(spec));
            return null;
        }
    }

    private void report(KnownOption option, String name, Origin origin, String text) {
        groupsWithProblems.add(option.group().name());
        problems.add(new Problem(name, origin, text));
    }

    private static Setting defaultOf(KnownOption option) {
        try {
            return new Setting(
                    option, OptionText.read(option.spec(), option.spec().defaultValue()), Origin.DEFAULT);
        } catch (OptionText.Unreadable e) {
            throw new AssertionError("OptionGroup checked the default of " + option.key(), e);
        }
    }

    private Setting orFromFile(Setting direct, Map<String, Setting> settings) {
        Setting named = settings.get(direct.option().key() + OptionCatalogue.FILE_SUFFIX);
        if (named == null
                || named.value().equals("")
                || direct.origin().layer().compareTo(named.origin().layer()) <= 0) {
            return direct;
        }
        String name = (String) named.value();
        try {
            String secret = TextFile.read(name, LARGEST_SECRET).strip();
            if (!secret.isEmpty()) {
                return new Setting(
                        direct.option(), secret, new Origin(named.origin().layer(), "file " + name));
            }
            report(named.option(), named.option().key(), named.origin(), "the file " + name + " is empty");
        } catch (IOException e) {
            report(named.option(), named.option().key(), named.origin(), String.valueOf(e.getMessage()));
        }
        return direct;
    }

    private void check(OptionGroup group, Map<String, Setting> settings) {
        if (!groupsWithProblems.contains(group.name())) {
            group.check().check(new ResolvedValues(group.prefix(), settings), (key, text) -> {
                String whole = group.prefix() + key;
                Setting blamed = settings.get(whole);
                problems.add(new Problem(whole, blamed == null ? Origin.DEFAULT : blamed.origin(), text));
            });
        }
    }

    private void reportUnknown() {
        reportUnknown(sources.api(), Layer.API, "set by the program");
        reportUnknown(sources.flags(), Layer.FLAG, "command line");
        for (String name : sources.properties().keySet()) {
            if (name.startsWith("weft.") && FOREIGN.stream().noneMatch(name::startsWith)) {
                reportUnknownKey(name, new Origin(Layer.PROPERTY, "-D" + name));
            }
        }
        for (String name : sources.environment().keySet()) {
            if (name.startsWith("WEFT_")
                    && FOREIGN.stream().noneMatch(p -> name.startsWith(KnownOption.environmentName(p)))
                    && catalogue.findByEnvironment(name).isEmpty()) {
                Origin origin = new Origin(Layer.ENVIRONMENT, "environment");
                problems.add(new Problem(name, origin, catalogue.whyUnknownVariable(name)));
            }
        }
        file.entries().forEach((key, entry) -> reportUnknownKey(key, entry.origin()));
    }

    private void reportUnknown(Map<String, String> values, Layer layer, String where) {
        for (String key : values.keySet()) {
            reportUnknownKey(key, new Origin(layer, where));
        }
    }

    private void reportUnknownKey(String key, Origin origin) {
        if (catalogue.find(key).isEmpty()) {
            problems.add(new Problem(key, origin, catalogue.whyUnknown(key)));
        }
    }
}
