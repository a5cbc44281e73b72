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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a configuration file says, by key and line. */
final class ConfigFile {
    /** A value with the line it was written on. */
    record Entry(String text, Origin origin) {}

    private static final String KEY = "weft.config";
    private static final int LARGEST = 1 << 20;

    private final Map<String, Entry> entries = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private final List<String> secretNames;

    private ConfigFile(List<String> secretNames) {
        this.secretNames = secretNames;
    }

    /** Reads the file that the sources name; of one that seems to hold a secret no text is ever shown. */
    static ConfigFile read(ConfigurationSources sources, List<String> secretNames) {
        ConfigFile result = new ConfigFile(secretNames);
        Path unnamed = sources.defaultFile();
        sources.namedFile()
                .or(() -> Optional.of(unnamed.toString()).filter(name -> Files.exists(unnamed)))
                .ifPresent(result::read);
        return result;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    List<Problem> problems() {
        return problems;
    }

    private void read(String name) {
        try {
            parse(Path.of(name), TextFile.read(name, LARGEST));
        } catch (IOException e) {
            problems.add(
                    new Problem(KEY, origin(name.isEmpty() ? "empty name" : name), String.valueOf(e.getMessage())));
        }
    }

    private void parse(Path path, String text) {
        try {
            ConfigParseOptions options = ConfigParseOptions.defaults().setAllowMissing(false);
            // A file may include its neighbours; a pipe has none, and can be read only once.
            Config parsed = Files.isRegularFile(path)
                    ? ConfigFactory.parseFile(path.toFile(), options)
                    : ConfigFactory.parseString(text, options);
            // Substitutions see the file alone: values of the process have their own, stated place in the order.
            Config config = parsed.resolve(ConfigResolveOptions.noSystem());
            for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
                String key = String.join(".", ConfigUtil.splitPath(entry.getKey()));
                ConfigValue value = entry.getValue();
                put(
                        key,
                        value,
                        origin(path.getFileName() + ": " + value.origin().lineNumber()));
            }
        } catch (ConfigException e) {
            ConfigOrigin where = e.origin();
            String line = where == null || where.lineNumber() < 1 ? "" : ": " + where.lineNumber();
            boolean holdsSecret = secretNames.stream().anyMatch(text::contains);
            invalid(
                    path,
                    line,
                    holdsSecret
                            ? "what the parser says is not shown, because the file seems to hold a secret"
                            : String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            // The parser descends once for each level.
            invalid(path, "", "it is nested too deeply");
        }
    }

    private void invalid(Path path, String line, String why) {
        problems.add(new Problem(
                KEY,
                origin(path.getFileName() + line),
                "the file " + path.toAbsolutePath() + " is not valid HOCON: " + why));
    }

    private void put(String key, ConfigValue value, Origin origin) {
        if (value.valueType() != ConfigValueType.LIST) {
            entries.put(key, new Entry(String.valueOf(value.unwrapped()), origin));
            return;
        }
        List<?> elements = (List<?>) value.unwrapped();
        if (elements.stream().anyMatch(e -> e == null || e instanceof Collection || e instanceof Map)) {
            problems.add(new Problem(
                    key, origin, "a list of anything but texts: " + Printable.shortened(elements.toString())));
        } else {
            entries.put(
                    key, new Entry(elements.stream().map(String::valueOf).collect(Collectors.joining(",")), origin));
        }
    }

    private static Origin origin(String text) {
        return new Origin(Origin.Layer.FILE, text);
    }
}
