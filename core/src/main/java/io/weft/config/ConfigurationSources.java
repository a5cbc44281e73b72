package io.weft.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * Where values are looked for. Nothing here reads the process: what is not given does not exist, except through
 * {@link #ofProcess()}.
 *
 * <p>Immutable; safe from any thread. The {@code with} methods make copies.
 */
public final class ConfigurationSources {
    /** The file taken from the working directory when none is named. */
    public static final String DEFAULT_FILE = "weft.conf";

    private final Map<String, String> api;
    private final Map<String, String> flags;
    private final Map<String, String> properties;
    private final Map<String, String> environment;
    private final Optional<Path> file;
    private final Path directory;

    private ConfigurationSources(
            Map<String, String> api,
            Map<String, String> flags,
            Map<String, String> properties,
            Map<String, String> environment,
            Optional<Path> file,
            Path directory) {
        this.api = Map.copyOf(api);
        this.flags = Map.copyOf(flags);
        this.properties = Map.copyOf(properties);
        this.environment = Map.copyOf(environment);
        this.file = file;
        this.directory = directory;
    }

    /**
     * No values at all, and a working directory without a file.
     *
     * @param directory where {@link #DEFAULT_FILE} is looked for
     * @return empty sources
     */
    public static ConfigurationSources none(Path directory) {
        Objects.requireNonNull(directory, "directory");
        return new ConfigurationSources(Map.of(), Map.of(), Map.of(), Map.of(), Optional.empty(), directory);
    }

    /**
     * This process: its system properties, environment and working directory.
     *
     * @return the sources as they are now
     */
    public static ConfigurationSources ofProcess() {
        return none(Path.of("")).withProperties(System.getProperties()).withEnvironment(System.getenv());
    }

    /**
     * Values set by the program.
     *
     * @param values by whole key
     * @return a copy
     */
    public ConfigurationSources withApi(Map<String, String> values) {
        return new ConfigurationSources(values, flags, properties, environment, file, directory);
    }

    /**
     * Further values set by the program, which win over those that are there.
     *
     * @param values by whole key
     * @return a copy
     */
    public ConfigurationSources plusApi(Map<String, String> values) {
        Map<String, String> all = new LinkedHashMap<>(api);
        all.putAll(values);
        return withApi(all);
    }

    /**
     * Values from the command line.
     *
     * @param values by whole key
     * @return a copy
     */
    public ConfigurationSources withFlags(Map<String, String> values) {
        return new ConfigurationSources(api, values, properties, environment, file, directory);
    }

    /**
     * System properties; those that do not start with {@code weft.} are ignored.
     *
     * @param values the properties
     * @return a copy
     */
    public ConfigurationSources withProperties(Properties values) {
        Map<String, String> mine = new LinkedHashMap<>();
        for (String name : values.stringPropertyNames()) {
            mine.put(name, values.getProperty(name));
        }
        return new ConfigurationSources(api, flags, mine, environment, file, directory);
    }

    /**
     * Environment variables.
     *
     * @param values by name
     * @return a copy
     */
    public ConfigurationSources withEnvironment(Map<String, String> values) {
        return new ConfigurationSources(api, flags, properties, values, file, directory);
    }

    /**
     * The configuration file; it must exist.
     *
     * @param path the file
     * @return a copy
     */
    public ConfigurationSources withFile(Path path) {
        return new ConfigurationSources(api, flags, properties, environment, Optional.of(path), directory);
    }

    Map<String, String> api() {
        return api;
    }

    Map<String, String> flags() {
        return flags;
    }

    Map<String, String> properties() {
        return properties;
    }

    Map<String, String> environment() {
        return environment;
    }

    /** The file that was named by flag, property or environment, in this order. */
    Optional<String> namedFile() {
        return file.map(Path::toString)
                .or(() -> Optional.ofNullable(properties.get("weft.config")))
                .or(() -> Optional.ofNullable(environment.get("WEFT_CONFIG")).filter(text -> !text.isEmpty()));
    }

    Path defaultFile() {
        return directory.resolve(DEFAULT_FILE);
    }
}
