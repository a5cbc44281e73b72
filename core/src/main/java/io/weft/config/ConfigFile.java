package io.weft.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a configuration file says, by key and line. */
final class ConfigFile {
    /** A value with the line it was written on. */
    record Entry(String text, Origin origin) {}

    private final Map<String, Entry> entries = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private ConfigFile() {}

    static ConfigFile read(ConfigurationSources sources) {
        ConfigFile result = new ConfigFile();
        Path named = sources.namedFile().orElse(null);
        Path path = named == null ? sources.defaultFile() : named;
        if (named != null && !Files.isReadable(path)) {
            result.problems.add(new Problem(
                    "weft.config",
                    origin(path.toString()),
                    "the file " + path.toAbsolutePath()
                            + (Files.exists(path) ? " cannot be read" : " does not exist")));
        } else if (named != null || Files.isReadable(path)) {
            result.parse(path);
        }
        return result;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    List<Problem> problems() {
        return problems;
    }

    private void parse(Path path) {
        try {
            // Substitutions see the file alone: values of the process have their own, stated place in the order.
            Config config = ConfigFactory.parseFile(
                            path.toFile(), ConfigParseOptions.defaults().setAllowMissing(false))
                    .resolve(ConfigResolveOptions.noSystem());
            for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
                String key = String.join(".", ConfigUtil.splitPath(entry.getKey()));
                ConfigValue value = entry.getValue();
                entries.put(
                        key,
                        new Entry(
                                text(value),
                                origin(path.getFileName() + ": "
                                        + value.origin().lineNumber())));
            }
        } catch (ConfigException e) {
            ConfigOrigin where = e.origin();
            String line = where == null || where.lineNumber() < 1 ? "" : ": " + where.lineNumber();
            problems.add(new Problem(
                    "weft.config",
                    origin(path.getFileName() + line),
                    "the file " + path.toAbsolutePath() + " is not valid HOCON: " + e.getMessage()));
        }
    }

    private static String text(ConfigValue value) {
        if (value.valueType() == ConfigValueType.LIST) {
            return ((List<?>) value.unwrapped()).stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return String.valueOf(value.unwrapped());
    }

    private static Origin origin(String text) {
        return new Origin(Origin.Layer.FILE, text);
    }
}
