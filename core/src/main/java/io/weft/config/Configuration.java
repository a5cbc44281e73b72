package io.weft.config;

import io.weft.spi.OptionValues;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What all sources add up to under a catalogue: one value with its origin for each option, and everything that is wrong.
 *
 * <p>Immutable; safe from any thread.
 */
public final class Configuration {
    private final Map<String, Setting> settings;
    private final List<Problem> problems;
    private final List<String> warnings;

    Configuration(Map<String, Setting> settings, List<Problem> problems, List<String> warnings) {
        this.settings = settings;
        this.problems = List.copyOf(problems);
        this.warnings = List.copyOf(warnings);
    }

    /**
     * Resolves every option of a catalogue. Reads the configuration file and files of secrets; does not throw for what they
     * hold, so that tools can show a wrong configuration.
     *
     * @param catalogue the options that exist
     * @param sources where values may come from
     * @return the configuration, with its problems
     */
    public static Configuration resolve(OptionCatalogue catalogue, ConfigurationSources sources) {
        return new Resolver(catalogue, sources).resolve();
    }

    /**
     * Refuses a wrong configuration.
     *
     * @return this
     * @throws ConfigurationException with all problems at once (rule CFG-1)
     */
    public Configuration orThrow() {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return this;
    }

    /**
     * Every option with its value.
     *
     * @return in the order of keys
     */
    public Collection<Setting> settings() {
        return settings.values();
    }

    /**
     * One option.
     *
     * @param key a whole key of the catalogue
     * @return its setting
     * @throws IllegalArgumentException if the catalogue has no such key
     */
    public Setting setting(String key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("option " + key + " is not in the catalogue");
        }
        return setting;
    }

    /**
     * The values of a component.
     *
     * @param group a group of the catalogue
     * @return values by keys relative to the group's prefix
     */
    public OptionValues values(OptionGroup group) {
        return new ResolvedValues(group.prefix(), settings);
    }

    /**
     * What is wrong.
     *
     * @return in the order of keys, empty if nothing is
     */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * What works, but not as somebody may have meant.
     *
     * @return texts for the log
     */
    public List<String> warnings() {
        return warnings;
    }
}
